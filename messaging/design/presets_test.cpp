// SPDX-License-Identifier: MIT
// The behaviours under the named presets. Linked twice: with virtual and with static dispatch.
#include "messaging/behaviours/basics.hpp"
#include "messaging/behaviours/blocks.hpp"
#include "messaging/behaviours/requests.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/hosted_job.hpp"

#include <span>
#include <string>
#include <string_view>

using namespace parley;

namespace {

void try_preset(const messaging::Preset& preset, std::span<const behaviours::Behaviour> list)
{
    const behaviours::Capabilities capabilities = testing::capabilities_in_tests(preset.design);
    for (const behaviours::Behaviour& behaviour : list) {
        if (!behaviour.applies(capabilities))
            continue;
        INFO(std::string(preset.name) << ": " << behaviour.sentence);
        testing::HostedJob job({.design = preset.design, .nodes = static_cast<unsigned>(behaviour.nodes)});
        CHECK(job.run(behaviour.run) == "");
    }
}

} // namespace

TEST_CASE("every named preset has all behaviours")
{
    const std::string_view asked = testing::selected_preset();
    bool found = asked.empty();
    for (const messaging::Preset& preset : messaging::presets()) {
        if (!testing::is_selected(preset.design) || (!asked.empty() && preset.name != asked))
            continue;
        found = true;
        testing::at(preset.name);
        try_preset(preset, behaviours::basics);
        try_preset(preset, behaviours::requests);
        try_preset(preset, behaviours::blocks);
    }
    INFO("PARLEY_PRESET=" << asked);
    CHECK(found);
}

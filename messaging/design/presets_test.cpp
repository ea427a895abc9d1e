// SPDX-License-Identifier: MIT
// The behaviours under the rows of static dispatch, the named presets among them. Linked twice: with virtual
// and with static dispatch.
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

void try_row(const messaging::Preset& row, std::span<const behaviours::Behaviour> list)
{
    const behaviours::Capabilities capabilities = testing::capabilities_in_tests(row.design);
    for (const behaviours::Behaviour& behaviour : list) {
        if (!behaviour.applies(capabilities))
            continue;
        INFO(std::string(row.name) << ": " << behaviour.sentence);
        testing::HostedJob job({.design = row.design, .nodes = static_cast<unsigned>(behaviour.nodes)});
        CHECK(job.run(behaviour.run) == "");
    }
}

} // namespace

TEST_CASE("every row of static dispatch has all behaviours")
{
    const std::string_view asked = testing::selected_preset();
    bool found = asked.empty();
    for (const messaging::Preset& row : messaging::static_rows()) {
        if (!testing::is_selected(row.design) || (!asked.empty() && row.name != asked))
            continue;
        found = true;
        // Behaviours are those of NX/2, which are not promised over a port that keeps no order.
        if (!messaging::traits_of(row.design).keeps_order)
            continue;
        testing::at(row.name);
        try_row(row, behaviours::basics);
        try_row(row, behaviours::requests);
        try_row(row, behaviours::blocks);
    }
    INFO("PARLEY_PRESET=" << asked);
    CHECK(found);
}

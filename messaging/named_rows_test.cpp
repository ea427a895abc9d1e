// SPDX-License-Identifier: MIT
// The behaviours under the named rows. Linked twice: with virtual and with static dispatch.
#include "messaging/behaviours/basics.hpp"
#include "messaging/behaviours/blocks.hpp"
#include "messaging/behaviours/requests.hpp"
#include "tools/testing/catch.hpp"
#include "tools/testing/every_design.hpp"
#include "tools/testing/hosted_job.hpp"

#include <span>
#include <string>

using namespace parley;

namespace {

void try_row(const messaging::Row& row, std::span<const behaviours::Behaviour> list)
{
    const behaviours::Manners manners = testing::manners_of(row.design);
    for (const behaviours::Behaviour& behaviour : list) {
        if (!behaviour.applies(manners))
            continue;
        INFO(std::string(row.name) << ": " << behaviour.sentence);
        testing::HostedJob job({.design = row.design, .nodes = static_cast<unsigned>(behaviour.nodes)});
        CHECK(job.run(behaviour.run) == "");
    }
}

} // namespace

TEST_CASE("every named row has all behaviours")
{
    for (const messaging::Row& row : messaging::rows()) {
        if (!testing::is_selected(row.design))
            continue;
        testing::at(row.name);
        try_row(row, behaviours::basics);
        try_row(row, behaviours::requests);
        try_row(row, behaviours::blocks);
    }
}

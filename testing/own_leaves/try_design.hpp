// SPDX-License-Identifier: MIT
// The behaviours that every design shares, for the tests of leaves that only a test composes.
#pragma once

#include "messaging/behaviours/basics.hpp"
#include "messaging/behaviours/blocks.hpp"
#include "messaging/behaviours/requests.hpp"
#include "testing/catch.hpp"
#include "testing/hosted_job.hpp"

#include <span>
#include <string>

namespace parley::testing {

// Tries all behaviours that apply to the design.
inline void try_design(std::string_view text)
{
    messaging::Design design;
    REQUIRE(messaging::parse_design(text, design).text() == "");
    const std::span<const behaviours::Behaviour> lists[] = {behaviours::basics, behaviours::requests,
                                                            behaviours::blocks};
    for (const auto list : lists)
        for (const behaviours::Behaviour& behaviour : list) {
            if (!behaviour.applies(capabilities_in_tests(design)))
                continue;
            INFO(std::string(text) << ": " << behaviour.sentence);
            HostedJob job({.design = design, .nodes = static_cast<unsigned>(behaviour.nodes)});
            CHECK(job.run(behaviour.run) == "");
        }
}

} // namespace parley::testing

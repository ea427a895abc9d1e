// SPDX-License-Identifier: MIT
// Each class of this folder in the place of one of exp6's. The classes are found, so a new one joins in by
// itself.
#include "testing/own_leaves/try_design.hpp"
#include "testing/progress.hpp"

#include "messaging/leaves.hpp"

#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

// As a design says it: "transport=divided".
std::vector<std::string> added_leaves(std::string_view factor)
{
    std::vector<std::string> found;
    const auto add = [&](std::string_view its, auto list) {
        list.for_each([&]<class Leaf>() {
            if (its == factor)
                found.push_back(std::string(its).append("=").append(Leaf::name));
        });
    };
    add("location", AddedLocationLeaves{});
    add("context-switch", AddedContextSwitchLeaves{});
    add("interaction", AddedInteractionLeaves{});
    add("port", AddedPortLeaves{});
    add("transport", AddedTransportLeaves{});
    add("synchronization", AddedSynchronizationLeaves{});
    add("transfer", AddedTransferLeaves<>{});
    add("polling", AddedPollingLeaves{});
    return found;
}

} // namespace

TEST_CASE("every factor takes a class that the tree has never seen")
{
    for (const std::string_view factor : factor_names()) {
        INFO(std::string(factor));
        CHECK(!added_leaves(factor).empty());
        for (const std::string& leaf : added_leaves(factor)) {
            testing::at(leaf);
            testing::try_design("exp6," + leaf);
        }
    }
}

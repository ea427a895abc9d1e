// SPDX-License-Identifier: MIT
// Two rows want the same pid at once, in every order of steps.
#include "messaging/pid_names.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("of two rows that want the same pid at once, one gets it")
{
    struct Scene {
        PidNames names;
        explorer::Noted<bool> has[2] = {false, false};
    };
    const explorer::ExplorationOutcome outcome = explorer::explore({}, [] {
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        for (unsigned row = 0; row < 2; ++row)
            play.parties.push_back(
                [scene, row] { scene->has[row] = scene->names.set(row, 77, 2).has_value(); });
        play.check = [scene] {
            if (scene->has[0] == scene->has[1])
                return std::string(scene->has[0] ? "both have the pid" : "neither has the pid");
            const unsigned row = scene->has[0] ? 0 : 1;
            return std::string(scene->names.find(77, 1) == row ? "" : "the pid finds the other row");
        };
        return play;
    });
    CHECK(outcome.failure == "");
}

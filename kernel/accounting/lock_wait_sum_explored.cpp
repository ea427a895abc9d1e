// SPDX-License-Identifier: MIT
// Two processors add to a sum, while a third reads it, in every order of steps; a load reads what its memory
// order lets it read.
#include "kernel/accounting/lock_wait_sum.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::kernel::accounting;

TEST_CASE("what has been waited is read as it was at one moment, and nothing of it is lost")
{
    struct Scene {
        LockWaitSum sum;
        explorer::Noted<bool> torn = false;
    };
    const explorer::ExplorationOutcome outcome = explorer::explore({}, [] {
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        for (unsigned writer = 0; writer < 2; ++writer)
            play.parties.push_back([scene] { scene->sum.add(5); });
        play.parties.push_back([scene] {
            const LockWaitSum::Value now = scene->sum.value();
            if (now.cycles != 5 * now.times)
                scene->torn = true;
        });
        play.check = [scene] {
            if (scene->torn)
                return std::string("the cycles and the times are of two moments");
            return std::string(scene->sum.value().times == 2 ? "" : "a wait is lost");
        };
        return play;
    });
    CHECK(outcome.failure == "");
}

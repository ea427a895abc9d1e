// SPDX-License-Identifier: MIT
// An account that is read while its processor changes it, in every order of steps; a load reads what its
// memory order lets it read.
#include "kernel/accounting/account.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>
#include <numeric>

using namespace parley;
using namespace parley::kernel::accounting;

TEST_CASE("an account is read as it was at one moment")
{
    struct Scene {
        Account account;
        explorer::Noted<bool> torn = false;
    };
    const explorer::ExplorationOutcome outcome = explorer::explore({}, [] {
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        play.parties.push_back([scene] {
            scene->account.enter(Activity::call, 1);
            scene->account.enter(Activity::user, 3);
        });
        play.parties.push_back([scene] {
            const Sums sums = scene->account.sums([&] { return scene->account.since(); });
            const auto cycles = std::accumulate(sums.cycles.begin(), sums.cycles.end(), std::uint64_t{0});
            const auto times = std::accumulate(sums.times.begin(), sums.times.end(), std::uint64_t{0});
            if (cycles != (times == 0 ? 0u : times == 1 ? 1u : 3u))
                scene->torn = true;
        });
        play.check = [scene] { return std::string(scene->torn ? "the sums are of no moment" : ""); };
        return play;
    });
    CHECK(outcome.failure == "");
}

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
            const Sums sums = scene->account.read([&] { return scene->account.since(); }).sums;
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

TEST_CASE("what is waited for locks is at each moment what is waited at their sites")
{
    struct Scene {
        Account account;
        explorer::Noted<bool> torn = false;
    };
    const explorer::ExplorationOutcome outcome = explorer::explore({}, [] {
        auto scene = std::make_shared<Scene>();
        explorer::Play play;
        play.parties.push_back([scene] {
            scene->account.begin_lock_wait(0, 1);
            scene->account.end_lock_wait(Activity::call, 3);
        });
        play.parties.push_back([scene] {
            const AccountReading now = scene->account.read([] { return 3; });
            constexpr auto lock_wait = static_cast<unsigned>(Activity::lock_wait);
            if (now.lock_waits[0].cycles != now.sums.cycles[lock_wait] ||
                now.lock_waits[0].times != now.sums.times[lock_wait])
                scene->torn = true;
        });
        play.check = [scene] { return std::string(scene->torn ? "the sums are of two moments" : ""); };
        return play;
    });
    CHECK(outcome.failure == "");
}

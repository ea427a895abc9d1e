// SPDX-License-Identifier: MIT
#include "kernel/accounting/account.hpp"
#include "testing/catch.hpp"

#include <atomic>
#include <numeric>
#include <thread>

using namespace parley;
using namespace parley::kernel::accounting;

namespace {

std::uint64_t of(const std::array<std::uint64_t, activities>& each, Activity what)
{
    return each[static_cast<unsigned>(what)];
}

} // namespace

TEST_CASE("an account tells for how long and how often a processor did what")
{
    Account account;
    account.begin(100);
    CHECK(account.change(Activity::user, 110) == Activity::idle);
    CHECK(account.enter(Activity::call, 150) == Activity::user);
    CHECK(account.since() == 150);
    const Sums sums = account.read([] { return 155; }).sums;
    CHECK(of(sums.cycles, Activity::idle) == 10);
    CHECK(of(sums.cycles, Activity::user) == 40);
    CHECK(of(sums.cycles, Activity::call) == 5);
    CHECK(of(sums.times, Activity::call) == 1);
    CHECK(of(sums.times, Activity::user) == 0);
}

TEST_CASE("the outermost lock is what an account counts, and one taken before it began is none")
{
    Account account;
    account.lock_left(0);
    account.change(Activity::call, 0);
    account.lock_taken(10);
    account.lock_taken(20);
    account.lock_left(30);
    account.lock_left(40);
    const Sums sums = account.read([] { return 50; }).sums;
    CHECK(of(sums.cycles, Activity::critical) == 30);
    CHECK(of(sums.times, Activity::critical) == 1);
    CHECK(of(sums.cycles, Activity::call) == 20);
}

TEST_CASE("what is waited for locks is told by site, the wait that goes on with it")
{
    Account account;
    account.change(Activity::call, 0);
    CHECK(account.begin_lock_wait(2, 10) == Activity::call);
    account.end_lock_wait(Activity::call, 14);
    account.begin_lock_wait(LockWaitSites::room, 20);
    account.end_lock_wait(Activity::call, 21);
    account.begin_lock_wait(2, 30);
    AccountReading now = account.read([] { return 36; });
    CHECK(of(now.sums.cycles, Activity::lock_wait) == 4 + 1 + 6);
    CHECK(of(now.sums.times, Activity::lock_wait) == 3);
    CHECK(now.lock_waits[2].cycles == 4 + 6);
    CHECK(now.lock_waits[2].times == 2);
    CHECK(now.lock_waits[LockWaitSites::room].cycles == 1);
    CHECK(now.lock_waits[LockWaitSites::room].times == 1);
    account.end_lock_wait(Activity::call, 40);
    now = account.read([] { return 50; });
    CHECK(of(now.sums.cycles, Activity::lock_wait) == 4 + 1 + 10);
    CHECK(now.lock_waits[2].cycles == 4 + 10);
}

TEST_CASE("a fault that others share is told as such, with its time")
{
    Account account;
    account.enter(Activity::fault, 0);
    account.change(Activity::user, 7);
    const std::uint64_t before = account.time_in_faults();
    account.enter(Activity::fault, 10);
    account.share_fault(before, 15);
    const Sums sums = account.read([] { return 15; }).sums;
    CHECK(of(sums.cycles, Activity::fault) == 7);
    CHECK(of(sums.cycles, Activity::shared_fault) == 5);
    CHECK(of(sums.times, Activity::fault) == 1);
    CHECK(of(sums.times, Activity::shared_fault) == 1);
}

TEST_CASE("an account that changes while it is read is read again")
{
    Account account;
    account.begin(0);
    account.change(Activity::user, 0);
    bool has_changed = false;
    const Sums sums = account
                          .read([&] {
                              if (!has_changed)
                                  account.enter(Activity::call, 20);
                              has_changed = true;
                              return 25;
                          })
                          .sums;
    CHECK(of(sums.cycles, Activity::user) == 20);
    CHECK(of(sums.cycles, Activity::call) == 5);
    CHECK(of(sums.times, Activity::call) == 1);
}

// The account's clock stands where the account was changed last, so all cycles together are a time at which
// it was changed, and each change has counted once.
TEST_CASE("whoever reads an account while it changes reads what it was at one moment")
{
    constexpr unsigned enough = 100;
    Account account;
    std::atomic<bool> is_over{false};
    std::thread processor([&] {
        for (std::uint64_t change = 1; !is_over.load(std::memory_order_relaxed); ++change) {
            account.enter(static_cast<Activity>(change % activities), change);
            if (change % 4 == 0) // a reader finds a moment without a change
                std::this_thread::yield();
        }
    });
    std::uint64_t seen = 0, torn = 0;
    for (unsigned moved = 0; moved < enough;) {
        const Sums sums = account.read([&] { return account.since(); }).sums;
        const std::uint64_t cycles =
            std::accumulate(sums.cycles.begin(), sums.cycles.end(), std::uint64_t{0});
        const std::uint64_t times = std::accumulate(sums.times.begin(), sums.times.end(), std::uint64_t{0});
        torn += cycles != times || times < seen;
        moved += times != seen;
        seen = times;
    }
    is_over.store(true, std::memory_order_relaxed);
    processor.join();
    CHECK(torn == 0);
}

// SPDX-License-Identifier: MIT
#include "sched/synchronization/lock.hpp"

#include "sched/synchronization/spinning.hpp"
#include "sched/synchronization/two_phase.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"
#include "testing/taken_for_held.hpp"

using namespace parley;
using namespace parley::sched;

TEST_CASE("only a lock that is held is released")
{
    Lock lock;
    CHECK(testing::tripped_by([&] { lock.set_free(); }) == "sched/synchronization/lock.hpp: is_held()");
    CHECK(testing::tripped_by([&] { (void)lock.leave_unwanted(); }) ==
          "sched/synchronization/lock.hpp: is_held()");
    REQUIRE(lock.take_free());
    CHECK_FALSE(testing::is_fatal([&] { lock.set_free(); }));
    CHECK_FALSE(testing::is_fatal([&] { (void)lock.leave_unwanted(); }));
}

TEST_CASE("only a short lock that is held is released")
{
    ShortLock lock;
    const auto unlock = [&] {
        testing::take_for_held(lock);
        lock.unlock();
    };
    CHECK(testing::tripped_by(unlock) ==
          "sched/synchronization/spinning.hpp: word_.load(std::memory_order_relaxed) != 0");
    REQUIRE(lock.try_lock());
    CHECK_FALSE(testing::is_fatal(unlock));
    lock.unlock();
}

TEST_CASE("a lock is free when its holder has left it, though somebody has slept for it and goes on no more")
{
    TwoPhaseSynchronization synchronization;
    Party holder{0, nullptr};
    Lock lock;
    REQUIRE(lock.acquire(synchronization, holder));
    lock.word.store(2); // as who sleeps has marked it
    lock.release(synchronization, holder);
    CHECK_FALSE(lock.is_held());
}

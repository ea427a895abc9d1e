// SPDX-License-Identifier: MIT
// What every Synchronization leaf does, with real threads, and what it does for a process that is killed.
#include "arch/hosted/hosted.hpp"
#include "tools/testing/catch.hpp"

#include "messaging/leaves.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

template <class S>
void admits_one_at_a_time()
{
    S synchronization;
    Lock lock;
    long count = 0;
    constexpr long turns = 3000;
    const auto work = [&] {
        for (long turn = 0; turn < turns; ++turn) {
            REQUIRE(acquire(synchronization, lock));
            ++count;
            release(synchronization, lock, S::marks_waiters);
        }
    };
    {
        const std::jthread first(work), second(work), third(work);
    }
    CHECK(count == 3 * turns);
}

template <class S>
void passes_a_ball()
{
    S synchronization;
    Event events[2];
    constexpr std::uint32_t turns = 3000;
    const auto play = [&](unsigned self) {
        for (std::uint32_t turn = 0; turn < turns; ++turn) {
            if (self == 0)
                signal(synchronization, events[1]);
            while (events[self].sequence.load() <= turn)
                (void)synchronization.wait(events[self], turn);
            if (self == 1)
                signal(synchronization, events[0]);
        }
    };
    {
        const std::jthread first(play, 0), second(play, 1);
    }
    CHECK(events[0].sequence.load() == turns);
    CHECK(events[1].sequence.load() == turns);
}

// Runs `wait` in a process of its own, kills that, and returns what the wait said.
template <class Wait>
Result<void> killed_while(Wait wait)
{
    std::atomic<hosted::Process*> process{nullptr};
    Result<void> result;
    std::jthread thread([&] {
        hosted::Process self;
        process = &self;
        result = wait();
    });
    while (process == nullptr)
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.load()->kill();
    thread.join();
    return result;
}

template <class S>
void lets_the_killed_go()
{
    S synchronization;
    Event event;
    const auto waited = killed_while([&] { return synchronization.wait(event, 0); });
    REQUIRE_FALSE(waited);
    CHECK(waited.error() == Error::killed);

    Lock lock;
    REQUIRE(acquire(synchronization, lock));
    std::jthread releaser([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        release(synchronization, lock, S::marks_waiters);
    });
    const auto acquired = killed_while([&] { return acquire(synchronization, lock); });
    releaser.join();
    if (acquired)
        release(synchronization, lock, S::marks_waiters); // it may have come first
    CHECK(acquire(synchronization, lock));                // nothing is held by the dead
    release(synchronization, lock, S::marks_waiters);
}

} // namespace

TEST_CASE("every lock admits one at a time")
{
    SynchronizationLeaves::for_each([]<class S>() {
        INFO(std::string(S::name));
        admits_one_at_a_time<S>();
    });
}

TEST_CASE("every event wakes its waiter each time")
{
    SynchronizationLeaves::for_each([]<class S>() {
        INFO(std::string(S::name));
        passes_a_ball<S>();
    });
}

TEST_CASE("every wait ends when its process is killed, and nothing stays held")
{
    SynchronizationLeaves::for_each([]<class S>() {
        INFO(std::string(S::name));
        lets_the_killed_go<S>();
    });
}

// SPDX-License-Identifier: MIT
// What every Synchronization leaf does, with real threads, and what it does for a process that is killed.
#include "arch/hosted/hosted.hpp"
#include "tools/testing/catch.hpp"
#include "tools/testing/contenders.hpp"

#include "messaging/leaves.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace parley;
using namespace parley::messaging;
using namespace parley::sched;

namespace {

template <class S>
void admits_one_at_a_time()
{
    testing::Contenders<S> contenders(3);
    long count = 0;
    constexpr long turns = 3000;
    const auto work = [&](unsigned party) {
        for (long turn = 0; turn < turns; ++turn) {
            REQUIRE(contenders.acquire(party));
            ++count;
            contenders.release(party);
        }
    };
    {
        const std::jthread first(work, 0), second(work, 1), third(work, 2);
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

    testing::Contenders<S> contenders(2);
    REQUIRE(contenders.acquire(0));
    std::jthread releaser([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        contenders.release(0);
    });
    const auto acquired = killed_while([&] { return contenders.acquire(1); });
    releaser.join();
    if (acquired)
        contenders.release(1);    // it may have come first
    CHECK(contenders.acquire(0)); // nothing is held by the dead
    contenders.release(0);
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

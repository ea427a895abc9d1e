// SPDX-License-Identifier: MIT
// Sleeping on words by P and V of every kind that the kernel keeps, with real threads.
#include "testing/catch.hpp"
#include "testing/processes.hpp"
#include "testing/selection.hpp"
#include "testing/semaphore_waits.hpp"

#include "platform.hpp"
#include "sched/leaves.hpp"

#include <atomic>
#include <string>

using namespace parley;
using namespace parley::sched;
using namespace std::chrono_literals;

namespace {

using Word = std::atomic<std::uint32_t>;

// Those that the kernel keeps, as they are used, and policy-1 with no time and with some.
template <class Use>
void for_each_kind(Use use)
{
    testing::for_each_leaf<SemaphoreLeaves>([&]<class Leaf>() {
        if constexpr (!std::same_as<Leaf, SpinSemaphore>) {
            std::vector<LeafValues> told{messaging::completed(messaging::arguments_of<Leaf>())};
            if constexpr (std::same_as<Leaf, Policy1Semaphore>)
                told.insert(told.end(), {LeafValues{0, 1}, LeafValues{100'000, 2}});
            for (const LeafValues& values : told) {
                INFO("semaphore=" + std::string(Leaf::name) << ", " << (values.size() == 0 ? 0 : values[0]));
                use(Leaf::name, values);
            }
        }
    });
}

bool play(testing::SemaphoreWaits& waits, unsigned parties, const std::function<void(unsigned)>& body)
{
    return testing::all_end(parties + waits.policy_processes(), 30s, [&](unsigned number) {
        if (number >= parties)
            return waits.run(number - parties);
        waits.enter(number);
        body(number);
        waits.leave();
    });
}

} // namespace

TEST_CASE("who sleeps on a word by semaphores wakes when it has changed, each time")
{
    for_each_kind([](std::string_view kind, const LeafValues& values) {
        testing::SemaphoreWaits waits(kind, values, 2);
        constexpr std::uint32_t turns = 500;
        Word words[2] = {};
        CHECK(play(waits, 2, [&](unsigned self) {
            for (std::uint32_t turn = 0; turn < turns; ++turn) {
                if (self == 0)
                    words[1] += 1, platform::resume(words[1], ~0u);
                while (words[self] <= turn)
                    if (!platform::suspend(words[self], turn))
                        return;
                if (self == 1)
                    words[0] += 1, platform::resume(words[0], ~0u);
            }
        }));
        CHECK(waits.counts().waits <= 2 * turns);
    });
}

TEST_CASE("only so many sleepers wake as are wanted, oldest first, and those of other words sleep on")
{
    testing::SemaphoreWaits waits("kernel", {}, 4);
    Word word{0}, other{0};
    std::atomic<unsigned> awake{0};
    const auto until = [&](unsigned sleepers) {
        while (waits.counts().waits < sleepers && !testing::must_end())
            std::this_thread::yield();
    };
    CHECK(play(waits, 4, [&](unsigned self) {
        if (self < 3) {
            until(self); // one after the other
            CHECK(platform::suspend(self == 1 ? other : word, 0));
            CHECK(awake++ == (self == 0 ? 0u : self == 2 ? 1u : 2u));
            return;
        }
        until(3);
        CHECK(platform::resume(word, 1) == 1);
        while (awake < 1 && !testing::must_end())
            std::this_thread::yield();
        CHECK(platform::resume(word, 2) == 1);
        CHECK(platform::resume(word, 2) == 0);
        while (awake < 2 && !testing::must_end())
            std::this_thread::yield();
        CHECK(platform::resume(other, ~0u) == 1);
    }));
}

TEST_CASE("a process that is killed while it sleeps by semaphores leaves the word to others")
{
    for_each_kind([](std::string_view kind, const LeafValues& values) {
        testing::SemaphoreWaits waits(kind, values, 3);
        Word word{0};
        std::atomic<hosted::ProcessThread*> victim{nullptr};
        std::atomic<bool> victim_ended{false}, other_woke{false};
        CHECK(play(waits, 3, [&](unsigned self) {
            if (self == 0) {
                victim = hosted::current_process();
                while (platform::suspend(word, 0)) { }
                victim_ended = true;
                return;
            }
            if (self == 1) {
                while (word == 0)
                    if (!platform::suspend(word, 0))
                        return;
                other_woke = true;
                return;
            }
            while (waits.counts().waits < 2 && !testing::must_end())
                std::this_thread::yield();
            victim.load()->kill();
            while (!victim_ended && !testing::must_end())
                std::this_thread::yield();
            word = 1;
            CHECK(platform::resume(word, ~0u) <= 1);
        }));
        CHECK(other_woke);
    });
}

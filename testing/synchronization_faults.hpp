// SPDX-License-Identifier: MIT
// What is wrong with a Synchronization, found through its interface alone with real threads: each function
// returns "" or a sentence.
#pragma once

#include "sched/synchronization/synchronization.hpp"
#include "testing/contenders.hpp"
#include "testing/made.hpp"
#include "testing/processes.hpp"
#include "testing/semaphore_waits.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace parley::testing {

// When none of the parties has got on for so long, although the host let all of them run, those that still
// wait will wait for ever.
inline std::chrono::milliseconds synchronization_limit{10'000};

// Three parties, each of which stays inside until another has found the lock held: so waits overlap for
// certain, and who is let in too early meets the one inside, or an update gets lost. `Count` is a plain
// number, so that the thread sanitizer sees what the lock orders; atomic where the lock is known not to.
template <class Count = long>
std::string fault_in_excluding(const SynchronizationLeaf& leaf)
{
    static constexpr unsigned parties = 3;
    static constexpr long turns = 1500;
    Contenders contenders(leaf, parties);
    std::atomic<unsigned> waiting{0}, inside{0}, entries{0}, working{parties};
    std::atomic<bool> crowded{false}, is_left{false};
    Count count{0};
    const auto stay = [&](long turn) {
        // Others who have still to come do come: each is somewhere between two turns.
        while (waiting == 0 && working > 1 && !crowded && !must_end())
            std::this_thread::yield();
        // Who waits where it should not is inside some ten instructions later, or when the host lets it run.
        for (unsigned look = 0; look < 300 && inside == 1; ++look)
            if (look % 100 == 99 && turn % 8 == 0)
                std::this_thread::yield();
    };
    const auto work = [&](unsigned party) {
        for (long turn = 0; turn < turns && !crowded; ++turn) {
            if (!contenders.acquire(party, waiting))
                break;
            if (++inside != 1)
                crowded = true;
            const unsigned entry = ++entries;
            get_on();
            const long seen = count;
            stay(turn);
            if (inside != 1)
                crowded = true;
            count = seen + 1;
            --inside;
            // One of those that are in at once leaves the lock, for whoever still waits: a second would leave
            // a free one, which is fatal.
            if (crowded && is_left.exchange(true))
                break;
            contenders.release(party);
            // Whoever waits comes in now, so that every turn has a wait of its own.
            while (entries == entry && working > 1 && !crowded && !must_end())
                std::this_thread::yield();
        }
        --working;
    };
    const bool ended = all_end_under(leaf, parties, synchronization_limit, work);
    if (crowded || (ended && count != parties * turns))
        return "its lock lets two parties in at once";
    return ended ? "" : "a party waits for ever for its lock, which others take and leave";
}

// Two play a ball that is only ever where the last signal went.
inline std::string fault_in_waking(const SynchronizationLeaf& leaf)
{
    static constexpr std::uint32_t turns = 3000;
    const std::shared_ptr<sched::Synchronization> made = leaf.make();
    sched::Synchronization& synchronization = *made;
    sched::Event events[2];
    const auto play = [&](unsigned self) {
        for (std::uint32_t turn = 0; turn < turns && !must_end(); ++turn) {
            if (self == 0)
                sched::signal(synchronization, events[1]);
            while (events[self].sequence.load() <= turn && !must_end())
                (void)synchronization.wait(events[self], turn);
            get_on();
            if (self == 1)
                sched::signal(synchronization, events[0]);
        }
    };
    if (!all_end_under(leaf, 2, synchronization_limit, play))
        return "a waiter is not woken: a signal that comes before or during its wait is lost";
    return "";
}

// A party is killed while it waits for a lock, which another holds and then leaves: the next gets it.
inline std::string fault_after_a_kill(const SynchronizationLeaf& leaf)
{
    for (unsigned round = 0; round < 50; ++round) {
        Contenders contenders(leaf, 3);
        std::atomic<unsigned> waiting{0};
        std::atomic<hosted::ProcessThread*> victim{nullptr};
        std::atomic<bool> killed{false};
        std::string fault;
        (void)contenders.acquire(0);
        const bool all = all_end_under(leaf, 3, synchronization_limit, [&](unsigned party) {
            if (party == 0) {
                while (waiting < 2)
                    std::this_thread::yield();
                victim.load()->kill();
                killed = true;
                contenders.release(0);
                return;
            }
            if (party == 1)
                victim = hosted::current_process();
            ++waiting;
            const Result<void> entered = contenders.acquire(party);
            if (entered)
                contenders.release(party); // it may have come first
            else if (party == 2 || entered.error() != Error::killed)
                fault = "a wait for a lock ends without the lock although nobody has killed the waiter";
            if (party == 1)
                while (!killed) // its process lives until then
                    std::this_thread::yield();
        });
        if (!all)
            return "a lock stays held after a waiter was killed, or the killed waits for ever";
        if (!fault.empty())
            return fault;
    }
    return "";
}

// A wait for an event that never comes ends when its process is killed.
inline std::string fault_in_ending_a_wait(const SynchronizationLeaf& leaf)
{
    const std::shared_ptr<sched::Synchronization> made = leaf.make();
    sched::Synchronization& synchronization = *made;
    sched::Event event;
    Result<void> waited;
    std::atomic<hosted::ProcessThread*> process{nullptr};
    std::atomic<bool> is_killed{false};
    const bool ended = all_end_under(leaf, 2, synchronization_limit, [&](unsigned party) {
        if (party == 0) {
            process = hosted::current_process();
            while (waited && !must_end())
                waited = synchronization.wait(event, 0);
            waited = synchronization.wait(event, 0);
            while (!is_killed)
                std::this_thread::yield();
        } else {
            while (process == nullptr)
                std::this_thread::yield();
            process.load()->kill();
            is_killed = true;
        }
    });
    if (!ended)
        return "a wait goes on although its process must end";
    return !waited && waited.error() == Error::killed ? "" : "a wait does not say that its process must end";
}

inline std::string fault_of_synchronization(const SynchronizationLeaf& leaf)
{
    for (const auto fault_in :
         {fault_in_excluding<>, fault_in_waking, fault_after_a_kill, fault_in_ending_a_wait})
        if (const std::string fault = fault_in(leaf); !fault.empty())
            return fault;
    return "";
}

} // namespace parley::testing

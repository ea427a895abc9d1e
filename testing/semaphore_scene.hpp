// SPDX-License-Identifier: MIT
// One kind of semaphores and what it needs, as its tests see all kinds: P and V of a few semaphores by a few
// processes, and the policy processes, where it has any, as parties of their own.
#pragma once

#include "sched/semaphore/semaphore.hpp"
#include "testing/made.hpp"

#include <deque>
#include <vector>

namespace parley::testing {

// `Clock` is a SemaphoreClock that can be made of nothing.
template <class Leaf, class Clock>
class SemaphoreScene {
public:
    // As many semaphores as there are counts. Each party ends in leave().
    SemaphoreScene(unsigned parties, std::initializer_list<unsigned> counts)
        : leaf_(made<Leaf>(sched::SemaphoreSurroundings{clock_, store_, counts_})), left_(parties)
    {
        begin(parties, counts);
    }
    SemaphoreScene(unsigned parties, std::initializer_list<unsigned> counts, const LeafValues& values)
        requires messaging::HasArguments<Leaf>
        : leaf_(sched::SemaphoreSurroundings{clock_, store_, counts_}, values), left_(parties)
    {
        begin(parties, counts);
    }

    // False: the process must end, and did not get it.
    bool p(unsigned semaphore, unsigned party)
    {
        if (!leaf_.in_user())
            return leaf_.p(semaphores_[semaphore], waiters_[party]).has_value();
        platform::SpinWait wait;
        while (!parley_spin_take(&words_[semaphore]))
            if (!wait.once())
                return false;
        return true;
    }
    bool v(unsigned semaphore)
    {
        if (!leaf_.in_user())
            return leaf_.v(semaphores_[semaphore]).has_value();
        parley_spin_give(&words_[semaphore]);
        return true;
    }

    // V of each of these, in one call where the kind is the kernel's.
    bool v_all(const std::vector<unsigned>& which)
    {
        std::vector<sched::Counter*> all;
        for (const unsigned semaphore : which) {
            if (leaf_.in_user())
                v(semaphore);
            else
                all.push_back(&semaphores_[semaphore]);
        }
        return leaf_.v_all(all).has_value();
    }

    // Called by each party, at its end.
    void leave()
    {
        if (left_.fetch_sub(1) == 1)
            leaf_.close();
    }
    unsigned policy_processes() const { return leaf_.processes(); }
    void run(unsigned policy_process) { leaf_.run(policy_process); }
    parley_semaphore_counts counts() const { return counts_.now(); }

private:
    void begin(unsigned parties, std::initializer_list<unsigned> counts)
    {
        for (const unsigned count : counts) {
            semaphores_.emplace_back(static_cast<std::uint32_t>(semaphores_.size()), count, counts_);
            words_.push_back(count);
        }
        for (unsigned party = 0; party < parties; ++party)
            waiters_.emplace_back(party);
    }

    Clock clock_;
    sched::CountedStore store_;
    sched::SemaphoreCounts counts_;
    Leaf leaf_;
    Atomic<unsigned> left_;
    std::deque<sched::Counter> semaphores_;
    std::deque<unsigned> words_;
    std::deque<sched::SemaphoreWaiter> waiters_;
};

} // namespace parley::testing

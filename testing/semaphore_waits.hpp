// SPDX-License-Identifier: MIT
// What a job of the hosted platform has where its design waits by semaphores: a kind of them, its policy
// processes, and a sleeper for each of its processes.
#pragma once

#include "arch/hosted/hosted.hpp"
#include "messaging/design/design.hpp"
#include "sched/semaphore/word_waits.hpp"
#include "testing/host_clock.hpp"
#include "testing/made_synchronization.hpp"
#include "testing/processes.hpp"

#include "sched/leaves.hpp"

#include <atomic>
#include <deque>
#include <memory>

namespace parley::testing {

class SemaphoreWaits {
public:
    // Processes wait by the kind of that name, and not by semaphores at all where the name is empty.
    SemaphoreWaits(std::string_view name, const LeafValues& values, unsigned processes)
        : kind_(made_kind(name, values)), left_(processes)
    {
        if (kind_ == nullptr)
            return;
        words_ = std::make_unique<sched::WordWaits>(*kind_);
        for (unsigned process = 0; process < processes; ++process)
            sleepers_.emplace_back(*words_, process, counts_);
    }
    explicit SemaphoreWaits(const messaging::Design& design, unsigned processes)
        : SemaphoreWaits(messaging::traits_of(design).semaphores, design.synchronization.values, processes)
    {
    }

    // Called by the process of that number: enter() before it waits, leave() when it never will again.
    void enter(unsigned process)
    {
        if (kind_ != nullptr)
            hosted::current_process()->sleep_by(sleepers_[process]);
    }
    void leave()
    {
        if (kind_ != nullptr && left_.fetch_sub(1) == 1)
            kind_->close();
    }
    unsigned policy_processes() const { return kind_ == nullptr ? 0 : kind_->processes(); }
    void run(unsigned policy_process) { kind_->run(policy_process); }
    parley_semaphore_counts counts() const { return counts_.now(); }

private:
    class Sleeper final : public hosted::WordSleep {
    public:
        Sleeper(sched::WordWaits& words, unsigned process, sched::SemaphoreCounts& counts)
            : words_(words), sleeper_(process, counts)
        {
        }
        bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected) override
        {
            return words_.block(sleeper_, reinterpret_cast<std::uintptr_t>(&word),
                                [&] { return word.load() == expected; });
        }
        unsigned resume(std::atomic<std::uint32_t>& word, unsigned count) override
        {
            return words_.wake(reinterpret_cast<std::uintptr_t>(&word), count);
        }

    private:
        sched::WordWaits& words_;
        sched::WordSleeper sleeper_;
    };

    std::shared_ptr<sched::Semaphore> made_kind(std::string_view name, const LeafValues& values)
    {
        const sched::SemaphoreSurroundings surroundings{clock_, store_, counts_};
        std::shared_ptr<sched::Semaphore> kind;
        sched::SemaphoreLeaves::with(name, [&]<class Leaf>() {
            if constexpr (messaging::HasArguments<Leaf>)
                kind = std::make_shared<Leaf>(surroundings, values);
            else
                kind = std::make_shared<Leaf>(surroundings);
        });
        return kind;
    }

    HostClock clock_;
    sched::CountedStore store_;
    sched::SemaphoreCounts counts_;
    const std::shared_ptr<sched::Semaphore> kind_;
    std::unique_ptr<sched::WordWaits> words_;
    std::deque<Sleeper> sleepers_;
    std::atomic<unsigned> left_;
};

// As all_end(), of processes that wait as the Synchronization's leaf does.
inline bool all_end_under(const SynchronizationLeaf& leaf, unsigned count, std::chrono::milliseconds limit,
                          const std::function<void(unsigned)>& body)
{
    SemaphoreWaits waits(leaf.semaphores, leaf.values(), count);
    return all_end(count + waits.policy_processes(), limit, [&](unsigned number) {
        if (number >= count)
            return waits.run(number - count);
        waits.enter(number);
        body(number);
        waits.leave();
    });
}

} // namespace parley::testing

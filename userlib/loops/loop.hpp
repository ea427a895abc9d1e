// SPDX-License-Identifier: MIT
// A loop of a team, that all its threads come to and leave. Threads need not wait for each other between
// loops, so a team has several of these and uses them in turn; each is used again when all have left it.
#pragma once

#include "userlib/loops/choice.hpp"
#include "userlib/loops/iteration_posts.hpp"
#include "userlib/loops/iteration_turns.hpp"
#include "userlib/loops/once_for_all.hpp"
#include "userlib/loops/task.hpp"
#include "userlib/loops/watch.hpp"

#include <cstdlib>
#include <new>

namespace parley::loops {

// What a loop does: `count` iterations. The program calls number i start + i * step, in arithmetic that
// wraps, and what follows the last one `end`. `distribution` says how they are handed out.
struct LoopPlan {
    std::uint64_t count = 0, start = 0, step = 1, end = 0;
    Chosen<DistributionKind> distribution;
    bool ordered = false; // chunks go through an ordered region
    bool shared = false;  // several teams share the loop, so none enters it as its own
    LoopPart part = LoopPart::other;
};

class alignas(line_bytes) Loop {
public:
    // Called before any thread comes.
    void prepare(unsigned threads, Lines lines)
    {
        threads_ = threads;
        lines_ = lines;
    }

    // Each thread calls this when it comes, with the number of this use of the loop, from 0, and a plan,
    // which is the same in all. The first makes the distribution.
    void enter(std::uint32_t use, const LoopPlan& plan, Wait& wait, Meanwhile& meanwhile)
    {
        const std::uint32_t before = use * Signal::step;
        for (std::uint32_t seen = all_left_.seen(); seen != before; seen = all_left_.seen())
            wait.until_moved(all_left_, seen, meanwhile);
        const auto open = [&] {
            plan_ = plan;
            distribution_ = plan.distribution.kind->make(
                place_, DistributionParts{plan.count, threads_, lines_}, plan.distribution.values);
            next_ = plan.distribution.kind->next;
            turns_.begin();
        };
        opened_.by_first(open, wait, meanwhile);
    }

    const LoopPlan& plan() const { return plan_; }
    IterationTurns& turns() { return turns_; }
    bool next(unsigned number, Cursor& mine, Chunk& chunk)
    {
        return next_(*distribution_, number, mine, chunk);
    }
    // Calls use(chunk) with each chunk of the thread of that number; until there are none it looks at no word
    // of the loop but its distribution's.
    template <class Use>
    void each(unsigned number, Cursor& mine, Use use)
    {
        const auto next = next_;
        Distribution& distribution = *distribution_;
        for (Chunk chunk{}; next(distribution, number, mine, chunk);)
            use(chunk);
    }

    // Memory that the loop's threads share until all have left it, for any of them that has come: zeroes at
    // first, aligned for anything, the same for all, who ask for as many bytes. The first that asks makes it,
    // and calls begin(memory) before anybody has it. Null: there is none.
    template <class Begin>
    void* shared_memory(std::size_t bytes, Begin begin, Wait& wait, Meanwhile& meanwhile)
    {
        const auto make = [&] {
            memory_ = std::calloc(1, bytes != 0 ? bytes : 1);
            if (memory_ != nullptr)
                begin(memory_);
        };
        memory_made_.by_first(make, wait, meanwhile);
        return memory_;
    }

    // The reductions that all of the loop's threads share: the own ones of the first that asks, which calls
    // begin() before anybody has them. Others may read what it has written of them until then, and nothing
    // that it writes afterwards.
    template <class Begin>
    ReductionBlock& first_reductions(ReductionBlock& own, Begin begin, Wait& wait, Meanwhile& meanwhile)
    {
        const auto make = [&] {
            begin();
            reductions_ = &own;
        };
        reductions_made_.by_first(make, wait, meanwhile);
        return *reductions_;
    }

    // Each thread that has come calls it once, and does not touch the loop afterwards.
    void leave()
    {
        if (left_.fetch_add(1, std::memory_order_acq_rel) + 1 != threads_)
            return;
        left_.store(0, std::memory_order_relaxed);
        opened_.end_round();
        if (memory_made_.is_made()) [[unlikely]] {
            memory_made_.end_round();
            std::free(memory_);
        }
        if (reductions_made_.is_made()) [[unlikely]]
            reductions_made_.end_round();
        all_left_.move_on();
    }

private:
    unsigned threads_ = 1;
    Lines lines_;
    LoopPlan plan_;
    Distribution* distribution_ = nullptr;
    decltype(DistributionKind::next) next_ = nullptr; // of its class
    alignas(line_bytes) OnceForAll opened_;
    Atomic<std::uint32_t> left_{0};
    Signal all_left_;
    OnceForAll memory_made_, reductions_made_;
    void* memory_ = nullptr;
    ReductionBlock* reductions_ = nullptr;
    alignas(line_bytes) IterationTurns turns_;
    alignas(line_bytes) std::byte place_[Distribution::most_bytes];
};

} // namespace parley::loops

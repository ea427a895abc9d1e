// SPDX-License-Identifier: MIT
// The semaphores of one job, by their numbers, and the waiters of its processes. They are made in the
// job's arena when the first semaphore is opened, the waiters also when somebody asks for them before.
#pragma once

#include "base/arena.hpp"
#include "sched/semaphore/semaphore.hpp"

namespace parley::sched {

class SemaphoreTable {
public:
    // `job`: its number. `processes`: how many may call; they have the numbers from 0.
    SemaphoreTable(Arena& arena, unsigned job, unsigned processes, SemaphoreCounts& counts)
        : arena_(arena), job_(job), processes_(processes), counts_(counts)
    {
    }
    SemaphoreTable(const SemaphoreTable&) = delete;

    // Call this before any other function.
    void use(Semaphore& kind) { kind_ = &kind; }

    // Answers the semaphore's id. The first caller to open it calls `make(number)`, whose errors are this
    // function's. Errors: no_semaphore, bad_count, other_count, no_memory.
    template <class Make>
    Result<long> open(std::uint64_t number, std::uint64_t count, const Make& make)
    {
        if (number >= PARLEY_MAX_SEMAPHORES)
            return std::unexpected(Error::no_semaphore);
        if (count > kind_->largest_count())
            return std::unexpected(Error::bad_count);
        LockGuard guard(lock_);
        TRY_VOID(make_waiters());
        Counter* counter = counters_[number].load(std::memory_order_relaxed);
        if (counter == nullptr) {
            counter = TRY(arena_.create<Counter>(static_cast<std::uint32_t>(number),
                                                 static_cast<std::uint32_t>(count), counts_));
            TRY_VOID(make(static_cast<unsigned>(number)));
            counters_[number].store(counter, std::memory_order_release); // pairs with find()
        }
        if (counter->first() != count)
            return std::unexpected(Error::other_count);
        return PARLEY_SEMAPHORE_ID(job_, number);
    }

    // Those of all processes, for who watches them without this table. They stay where they are. Errors:
    // no_memory.
    Result<const SemaphoreWaiter*> waiters()
    {
        LockGuard guard(lock_);
        TRY_VOID(make_waiters());
        return waiters_.load(std::memory_order_relaxed);
    }

    // Errors: no_semaphore, other_jobs_semaphore.
    Result<Counter*> find(long id) const
    {
        if (PARLEY_SEMAPHORE_JOB(id) != static_cast<long>(job_)) [[unlikely]]
            return std::unexpected(is_anybodys(id) ? Error::other_jobs_semaphore : Error::no_semaphore);
        Counter* const counter = counters_[PARLEY_SEMAPHORE_NUMBER(id)].load(std::memory_order_acquire);
        if (counter == nullptr)
            return std::unexpected(Error::no_semaphore);
        return counter;
    }

    // Errors: as find(); killed.
    Result<void> p(unsigned process, long id)
    {
        SemaphoreCounts::add(counts_.calls);
        return kind_->p(*TRY(find(id)), waiters_.load(std::memory_order_relaxed)[process]);
    }
    // Errors: as find(); count_too_large.
    Result<void> v(long id)
    {
        SemaphoreCounts::add(counts_.calls);
        return kind_->v(*TRY(find(id)));
    }

    // Makes a V of each of these, at most PARLEY_MOST_AT_ONCE, or of none if an id is wrong. Errors: those
    // of v().
    Result<void> v_all(std::span<const long> ids)
    {
        SemaphoreCounts::add(counts_.calls);
        Counter* found[PARLEY_MOST_AT_ONCE];
        for (std::size_t at = 0; at < ids.size(); ++at)
            found[at] = TRY(find(ids[at]));
        return kind_->v_all({found, ids.size()});
    }

    // Whether the process waits in P, and no V has come for it. Any process may call this.
    bool waits(unsigned process, SemaphoreWaiter::WaitInP& wait) const
    {
        const SemaphoreWaiter* const waiters = waiters_.load(std::memory_order_acquire);
        return waiters != nullptr && waiters[process].waits(wait);
    }

private:
    static constexpr long max_jobs = 1 << 16;

    static bool is_anybodys(long id)
    {
        return id >= PARLEY_SEMAPHORE_ID(0, 0) && id < PARLEY_SEMAPHORE_ID(max_jobs, 0);
    }

    Result<void> make_waiters() REQUIRES(lock_)
    {
        if (waiters_.load(std::memory_order_relaxed) != nullptr)
            return {};
        std::byte* const memory =
            TRY(arena_.allocate(processes_ * sizeof(SemaphoreWaiter), alignof(SemaphoreWaiter)));
        for (unsigned process = 0; process < processes_; ++process)
            ::new (memory + process * sizeof(SemaphoreWaiter)) SemaphoreWaiter(process);
        waiters_.store(reinterpret_cast<SemaphoreWaiter*>(memory),
                       std::memory_order_release); // pairs with waits()
        return {};
    }

    Arena& arena_;
    const unsigned job_;
    const unsigned processes_;
    SemaphoreCounts& counts_;
    Semaphore* kind_ = nullptr;
    SpinLock lock_;
    Atomic<SemaphoreWaiter*> waiters_{nullptr}; // set before the first counter can be found
    Atomic<Counter*> counters_[PARLEY_MAX_SEMAPHORES] = {};
};

} // namespace parley::sched

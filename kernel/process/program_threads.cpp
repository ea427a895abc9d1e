// SPDX-License-Identifier: MIT
#include "kernel/process/program_threads.hpp"

#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/process/user_thread.hpp"

namespace parley::kernel {

namespace {

template <class Word>
sched::WaitKey key_of(const Word& word)
{
    return {reinterpret_cast<std::uint64_t>(&word), 0};
}

} // namespace

void ProgramThreads::begin()
{
    const LockGuard guard(lock_);
    ending_ = false;
    verdict_.reset();
    reason_.clear();
    inside_.store(0, std::memory_order_relaxed);
}

bool ProgramThreads::await_others()
{
    while (count_.load(std::memory_order_seq_cst) != 0) {
        if (!wait_table().block(key_of(count_),
                                [this] { return count_.load(std::memory_order_seq_cst) != 0; }))
            return false;
    }
    return true;
}

void ProgramThreads::end_others()
{
    stop_one_by_one();
    bool some = false;
    {
        const LockGuard guard(lock_);
        some = count_.load(std::memory_order_relaxed) != 0;
        first_waits_ = some;
    }
    // A kill cannot wake the process from this: the last thread does, and none takes long.
    if (some)
        sched::Dispatcher::here().run_next();
    for (sched::Process* thread = first_spare(); thread != nullptr; thread = spare_after(*thread)) {
        while (thread->on_processor.load(std::memory_order_acquire))
            give_way_once();
    }
}

sched::Process* ProgramThreads::first_spare()
{
    const LockGuard guard(lock_);
    return spare_.first();
}

sched::Process* ProgramThreads::spare_after(const sched::Process& thread)
{
    const LockGuard guard(lock_);
    return spare_.after(thread);
}

std::optional<ProgramThreads::Verdict> ProgramThreads::verdict()
{
    const LockGuard guard(lock_);
    return verdict_;
}

Result<UserThread*> ProgramThreads::take()
{
    sched::Process* thread = nullptr;
    unsigned number = 0;
    {
        const LockGuard guard(lock_);
        if (ending_)
            return std::unexpected(Error::killed);
        if (count_.load(std::memory_order_relaxed) == most)
            return std::unexpected(Error::would_block);
        count_.fetch_add(1, std::memory_order_relaxed);
        thread = spare_.pop_front();
        if (thread == nullptr)
            number = ++numbers_;
    }
    if (thread == nullptr) {
        const Result<UserThread*> made = first_.job().make_thread(first_, number);
        if (!made)
            forget_one();
        return made;
    }
    // It may still be leaving its processor for the last time.
    while (thread->on_processor.load(std::memory_order_acquire))
        give_way_once();
    return static_cast<UserThread*>(thread);
}

void ProgramThreads::start(UserProcess& thread)
{
    {
        const LockGuard guard(lock_);
        running_.push_back(thread);
        thread.pending_work.set_killed(ending_);
    }
    sched::make_ready(thread);
}

void ProgramThreads::give_back(UserProcess& thread)
{
    {
        const LockGuard guard(lock_);
        spare_.push_back(thread);
    }
    forget_one();
}

void ProgramThreads::gone(UserProcess& thread)
{
    {
        const LockGuard guard(lock_);
        running_.remove(thread);
        spare_.push_back(thread);
    }
    forget_one();
}

// The process may go on when this was the last; it then waits until the thread has left its processor.
void ProgramThreads::forget_one()
{
    bool awaited = false;
    {
        const LockGuard guard(lock_);
        if (count_.fetch_sub(1, std::memory_order_seq_cst) == 1)
            awaited = std::exchange(first_waits_, false);
    }
    if (awaited)
        sched::make_ready(first_);
    else
        wait_table().wake(key_of(count_), 1);
}

void ProgramThreads::decide(Verdict verdict, std::string_view reason)
{
    const LockGuard guard(lock_);
    if (verdict_)
        return;
    verdict_ = verdict;
    reason_ << reason;
}

bool ProgramThreads::enter()
{
    std::uint32_t free = 0;
    if (inside_.compare_exchange_strong(free, 1, std::memory_order_acquire))
        return true;
    while (inside_.exchange(2, std::memory_order_acquire) != 0) {
        if (!wait_table().block(key_of(inside_),
                                [this] { return inside_.load(std::memory_order_seq_cst) == 2; }))
            return false;
    }
    return true;
}

void ProgramThreads::leave()
{
    if (inside_.exchange(0, std::memory_order_seq_cst) == 2)
        wait_table().wake(key_of(inside_), 1);
}

ProgramThreads::Waits ProgramThreads::waits()
{
    Waits waits{true, 0};
    if (count() == 0)
        return waits;
    const LockGuard guard(lock_);
    unsigned seen = 0;
    for (const sched::Process* at = running_.first(); at != nullptr; at = running_.after(*at), ++seen) {
        const auto& thread = static_cast<const UserProcess&>(*at);
        waits.epoch += thread.word_wait();
        waits.all = waits.all && thread.waits_on_word();
    }
    waits.all = waits.all && seen == count(); // one is just being made, or gone
    return waits;
}

// Each goes to the end of the list, where only those stand that are stopped: so many turns find all others. A
// thread that is gone meanwhile stays as it is until the process goes on.
void ProgramThreads::stop_one_by_one()
{
    unsigned left = 0;
    {
        const LockGuard guard(lock_);
        if (std::exchange(ending_, true))
            return;
        left = count_.load(std::memory_order_relaxed);
    }
    for (; left != 0; --left) {
        sched::Process* thread = nullptr;
        {
            const LockGuard guard(lock_);
            thread = running_.pop_front();
            if (thread == nullptr)
                return;
            running_.push_back(*thread);
        }
        first_.job().stop_one(*thread);
    }
}

// The threads cannot be gone before all are stopped: others than the process would not know how long their
// objects are theirs.
void ProgramThreads::stop()
{
    const LockGuard guard(lock_);
    if (std::exchange(ending_, true))
        return;
    for (sched::Process* thread = running_.first(); thread != nullptr; thread = running_.after(*thread))
        first_.job().stop_one(*thread);
}

} // namespace parley::kernel

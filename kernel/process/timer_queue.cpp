// SPDX-License-Identifier: MIT
#include "kernel/process/timer_queue.hpp"

#include "sched/dispatcher.hpp"

namespace parley::kernel {

bool TimerQueue::sleep_until(std::uint64_t nanoseconds)
{
    Sleeper sleeper{.due = nanoseconds};
    return sleep(sleeper);
}

bool TimerQueue::sleep_until(std::uint64_t nanoseconds, const sched::PendingWork& pending_work)
{
    Sleeper sleeper{.due = nanoseconds, .pending_work = &pending_work};
    return sleep(sleeper);
}

bool TimerQueue::sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& over)
{
    Sleeper sleeper{.due = nanoseconds, .over = &over};
    return sleep(sleeper);
}

bool TimerQueue::is_to_sleep(const Sleeper& sleeper) const
{
    return now_.load(std::memory_order_relaxed) < sleeper.due &&
           !(sleeper.pending_work != nullptr && sleeper.pending_work->interrupted()) &&
           !(sleeper.over != nullptr && sleeper.over->load(std::memory_order_acquire));
}

sched::WaitKey TimerQueue::word_of(const Sleeper& sleeper)
{
    return {reinterpret_cast<std::uint64_t>(&sleeper), 0};
}

bool TimerQueue::sleep(Sleeper& sleeper)
{
    {
        const LockGuard guard(lock_);
        sleepers_.push_back(sleeper);
        listed_.fetch_add(1, std::memory_order_relaxed);
    }
    bool alive = true;
    while (alive && is_to_sleep(sleeper))
        alive = waits_.block(word_of(sleeper), [&] { return is_to_sleep(sleeper); });
    const LockGuard guard(lock_);
    sleepers_.remove(sleeper);
    listed_.fetch_sub(1, std::memory_order_relaxed);
    return alive;
}

// A process that enters a list while this goes on may be missed; the next tick finds it.
void TimerQueue::tick(std::uint64_t now)
{
    now_.store(now, std::memory_order_relaxed);
    if (listed_.load(std::memory_order_relaxed) == 0)
        return;
    const LockGuard guard(lock_);
    ring(now);
    wake_sleepers();
}

// Each is rung at every tick from its time on, until it has met its process asleep.
void TimerQueue::ring(std::uint64_t now)
{
    for (Alarm* alarm = alarms_.first(); alarm != nullptr; alarm = alarms_.after(*alarm)) {
        if (alarm->due_ <= now && !alarm->rang_ && waits_.interrupt(alarm->process_))
            alarm->rang_ = true;
    }
}

// The lock of a sleeper's word orders the two: the sleeper asks once more under it, and sees what is seen
// here, or it sleeps before this wake takes the lock, which then finds it.
void TimerQueue::wake_sleepers()
{
    for (Sleeper* sleeper = sleepers_.first(); sleeper != nullptr; sleeper = sleepers_.after(*sleeper)) {
        if (!is_to_sleep(*sleeper))
            waits_.wake(word_of(*sleeper), 1);
    }
}

TimerQueue::Alarm::Alarm(TimerQueue& timers, std::uint64_t nanoseconds)
    : timers_(timers), process_(sched::current()), due_(nanoseconds)
{
    const LockGuard guard(timers_.lock_);
    rang_ = timers_.now_.load(std::memory_order_relaxed) >= nanoseconds;
    timers_.alarms_.push_back(*this);
    timers_.listed_.fetch_add(1, std::memory_order_relaxed);
}

TimerQueue::Alarm::~Alarm()
{
    const LockGuard guard(timers_.lock_);
    timers_.alarms_.remove(*this);
    timers_.listed_.fetch_sub(1, std::memory_order_relaxed);
}

bool TimerQueue::Alarm::rang() const
{
    const LockGuard guard(timers_.lock_);
    return rang_;
}

} // namespace parley::kernel

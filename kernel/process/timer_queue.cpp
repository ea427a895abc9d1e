// SPDX-License-Identifier: MIT
#include "kernel/process/timer_queue.hpp"

#include "sched/dispatcher.hpp"

namespace parley::kernel {

bool TimerQueue::sleep_until(std::uint64_t nanoseconds)
{
    static constexpr sched::PendingWork nobody;
    return sleep_until(nanoseconds, nobody);
}

bool TimerQueue::sleep_until(std::uint64_t nanoseconds, const sched::PendingWork& pending_work)
{
    return sleep_while(
        [&] { return now_.load(std::memory_order_relaxed) < nanoseconds && !pending_work.interrupted(); });
}

bool TimerQueue::sleep_until(std::uint64_t nanoseconds, const std::atomic<bool>& over)
{
    return sleep_while([&] {
        return now_.load(std::memory_order_relaxed) < nanoseconds && !over.load(std::memory_order_acquire);
    });
}

template <class Sleeps>
bool TimerQueue::sleep_while(const Sleeps& sleeps)
{
    sleepers_.fetch_add(1, std::memory_order_relaxed);
    bool alive = true;
    while (alive && sleeps())
        alive = waits_.block({reinterpret_cast<std::uint64_t>(&now_), 0}, sleeps);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    return alive;
}

void TimerQueue::tick(std::uint64_t now)
{
    now_.store(now, std::memory_order_relaxed);
    if (const unsigned sleepers = sleepers_.load(std::memory_order_relaxed); sleepers != 0)
        waits_.wake({reinterpret_cast<std::uint64_t>(&now_), 0}, sleepers);
    if (alarm_count_.load(std::memory_order_relaxed) != 0)
        ring(now);
}

// Each is rung at every tick from its time on, until it has met its process asleep.
void TimerQueue::ring(std::uint64_t now)
{
    const LockGuard guard(lock_);
    for (Alarm* alarm = alarms_.first(); alarm != nullptr; alarm = alarms_.after(*alarm)) {
        if (alarm->due_ <= now && !alarm->rang_ && waits_.interrupt(alarm->process_))
            alarm->rang_ = true;
    }
}

TimerQueue::Alarm::Alarm(TimerQueue& timers, std::uint64_t nanoseconds)
    : timers_(timers), process_(sched::current()), due_(nanoseconds)
{
    const LockGuard guard(timers_.lock_);
    rang_ = timers_.now_.load(std::memory_order_relaxed) >= nanoseconds;
    timers_.alarms_.push_back(*this);
    timers_.alarm_count_.fetch_add(1, std::memory_order_relaxed);
}

TimerQueue::Alarm::~Alarm()
{
    const LockGuard guard(timers_.lock_);
    timers_.alarms_.remove(*this);
    timers_.alarm_count_.fetch_sub(1, std::memory_order_relaxed);
}

bool TimerQueue::Alarm::rang() const
{
    const LockGuard guard(timers_.lock_);
    return rang_;
}

} // namespace parley::kernel

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

template <class IsToSleep>
bool TimerQueue::sleep_while(const IsToSleep& is_to_sleep)
{
    struct While final : Sleeper {
        explicit While(const IsToSleep& is_to_sleep) : condition(is_to_sleep) { }
        bool is_to_sleep() const override { return condition(); }
        const IsToSleep& condition;
    };
    While sleeper(is_to_sleep);
    return sleep(sleeper);
}

bool TimerQueue::sleep(Sleeper& sleeper)
{
    {
        const LockGuard guard(lock_);
        sleepers_.push_back(sleeper);
        listed_.fetch_add(1, std::memory_order_relaxed);
    }
    bool alive = true;
    while (alive && sleeper.is_to_sleep()) {
        alive = waits_.block({reinterpret_cast<std::uint64_t>(&sleeper), 0},
                             [&sleeper] { return sleeper.is_to_sleep(); });
    }
    const LockGuard guard(lock_);
    sleepers_.remove(sleeper);
    listed_.fetch_sub(1, std::memory_order_relaxed);
    return alive;
}

// Whoever is listed too late for this tick, or is seen too late, is woken by the next one.
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

void TimerQueue::wake_sleepers()
{
    for (Sleeper* sleeper = sleepers_.first(); sleeper != nullptr; sleeper = sleepers_.after(*sleeper)) {
        if (!sleeper->is_to_sleep())
            waits_.wake({reinterpret_cast<std::uint64_t>(sleeper), 0}, 1);
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

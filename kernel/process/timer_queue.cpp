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

template <class SleepsOn>
bool TimerQueue::sleep_while(const SleepsOn& sleeps_on)
{
    struct While final : Sleeper {
        explicit While(const SleepsOn& sleeps_on) : condition(sleeps_on) { }
        bool sleeps_on() const override { return condition(); }
        const SleepsOn& condition;
    };
    While sleeper(sleeps_on);
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
    while (alive && sleeper.sleeps_on()) {
        alive = waits_.block({reinterpret_cast<std::uint64_t>(&sleeper), 0},
                             [&sleeper] { return sleeper.sleeps_on(); });
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
        if (!sleeper->sleeps_on())
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

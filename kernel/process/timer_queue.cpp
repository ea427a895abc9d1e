// SPDX-License-Identifier: MIT
#include "kernel/process/timer_queue.hpp"

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
}

} // namespace parley::kernel

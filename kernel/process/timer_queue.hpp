// SPDX-License-Identifier: MIT
// Processes that sleep until a time, in nanoseconds since boot. The tick of the processor that keeps the
// time wakes those that are due, and leaves the others asleep, so sleeps end up to one tick late. The sleeper
// holds no lock.
#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "base/spin_lock.hpp"
#include "sched/wait_table.hpp"

namespace parley::kernel {

class TimerQueue {
public:
    // While this lives, the running process is woken from whatever it sleeps on once the clock shows
    // `nanoseconds`.
    class Alarm {
    public:
        Alarm(TimerQueue& timers, std::uint64_t nanoseconds);
        ~Alarm();
        Alarm(const Alarm&) = delete;

        // Whether that time had come already, or has woken it.
        bool rang() const;

    private:
        friend TimerQueue;
        TimerQueue& timers_;
        sched::Process& process_;
        const std::uint64_t due_;
        // The timers' lock guards it. The compiler cannot hold that: whoever goes through the queue holds the
        // queue's lock, and no type says that each alarm in it is of that queue.
        bool rang_ = false;
        Link link_;
    };

    explicit TimerQueue(sched::WaitTable& waits) : waits_(waits) { }

    // Sleeps until the clock shows `nanoseconds`, or until the process is to be interrupted. False when it
    // has been killed.
    bool sleep_until(std::uint64_t nanoseconds, const sched::PendingWork& pending_work);
    bool sleep_until(std::uint64_t nanoseconds);
    // Sleeps until then, or until `over`, which is noticed at the next tick.
    bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& over);
    // Wakes all that are due. Called at each tick of the processor that keeps the time.
    void tick(std::uint64_t now);

private:
    // A process that sleeps, on a word of its own, so that it is woken alone; and what may end its sleep
    // before its time. The processor whose tick it is reads this until the process has taken it off the list.
    struct Sleeper {
        std::uint64_t due;
        const sched::PendingWork* pending_work = nullptr;
        const Atomic<bool>* over = nullptr;
        Link link{};
    };

    bool sleep(Sleeper& sleeper);
    bool is_to_sleep(const Sleeper& sleeper) const;
    static sched::WaitKey word_of(const Sleeper& sleeper);
    void ring(std::uint64_t now) REQUIRES(lock_);
    void wake_sleepers() REQUIRES(lock_);

    sched::WaitTable& waits_;
    Atomic<std::uint64_t> now_{0};
    SpinLock lock_;
    // Both are few, so no order is kept.
    List<Alarm, &Alarm::link_> alarms_ GUARDED_BY(lock_);
    List<Sleeper, &Sleeper::link> sleepers_ GUARDED_BY(lock_);
    // How many are in either list: where there is nobody, a tick takes no lock.
    Atomic<unsigned> listed_{0};
};

} // namespace parley::kernel

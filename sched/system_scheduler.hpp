// SPDX-License-Identifier: MIT
// The system's ready queue: timeshared processes and gangs, first in, first out. When a gang comes to the
// head, processors that ask for work are collected for it, one after the other, until it has one for each
// member; there is no organiser. Gangs collect one at a time, oldest first, so no gang holds processors that
// another waits for (paper section 3.2).
#pragma once

#include "base/spin_lock.hpp"
#include "sched/gang.hpp"
#include "sched/gang_host.hpp"
#include "sched/gang_scheduler.hpp"

namespace parley::sched {

class SystemScheduler final : public GangHost {
public:
    using ClockFunction = std::uint64_t (*)();

    SystemScheduler(const ServerSet& servers, ClockFunction clock) : servers_(servers), clock_(clock) { }

    Process* take(Server& server) override;
    void add(Process& process) override;
    void add_first(Process& process) override;
    Server* idle_server_for(const Process& process) override;

    void schedule(Gang& gang) override;
    void member_ended(Gang& gang) override;
    bool withdraw(Gang& gang) override;

private:
    using Processes = List<Process, &Process::ready_link>;
    using Gangs = List<Gang, &Gang::link>;

    Gang* collect(Server& server) REQUIRES(lock_);
    void give_back(Gang& gang);
    void wake_idle(unsigned count);

    const ServerSet& servers_;
    const ClockFunction clock_;
    SpinLock lock_;
    Processes processes_ GUARDED_BY(lock_);
    Gangs gangs_ GUARDED_BY(lock_);
    Gang* collecting_ GUARDED_BY(lock_) = nullptr;
};

} // namespace parley::sched

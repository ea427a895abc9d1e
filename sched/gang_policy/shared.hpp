// SPDX-License-Identifier: MIT
// The paper's GangScheduler: one queue that all the gang's processors take from. When the last processor has
// come they all contend for the same lock. A member that has waited goes on at the first processor that asks.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/gang.hpp"
#include "sched/gang_scheduler.hpp"

#include <string_view>

namespace parley::sched {

class SharedGangScheduler final : public GangScheduler {
public:
    static constexpr std::string_view name = "shared";
    static constexpr std::string_view promise =
        "one queue for the gang: a member may move between its processors";

    explicit SharedGangScheduler(const ServerSet& servers) : servers_(servers) { }

    Process& dispatch(Gang& gang, Server&) override
    {
        Process& first = *gang.first();
        LockGuard guard(lock_);
        for (Process* member = gang.after(first); member != nullptr; member = gang.after(*member))
            ready_.push_back(*member);
        return first;
    }
    Process* take(Server&) override
    {
        LockGuard guard(lock_);
        return ready_.pop_front();
    }
    void add(Process& process) override
    {
        LockGuard guard(lock_);
        ready_.push_back(process);
    }
    Server* idle_server_for(const Process&) override { return servers_.claim_idle(*this); }

private:
    const ServerSet& servers_;
    SpinLock lock_;
    List<Process, &Process::ready_link> ready_ GUARDED_BY(lock_);
};

} // namespace parley::sched

// SPDX-License-Identifier: MIT
// The plain ready queue: first in, first out.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/ready_queue.hpp"
#include "sched/server_set.hpp"

namespace parley::sched {

class FifoQueue final : public ReadyQueue {
public:
    explicit FifoQueue(const ServerSet& servers) : servers_(servers) { }

    Process* take(Server&) override
    {
        LockGuard guard(lock_);
        return processes_.pop_front();
    }
    void add(Process& process) override
    {
        LockGuard guard(lock_);
        processes_.push_back(process);
    }
    Server* idle_server_for(const Process&) override { return servers_.claim_idle(*this); }

private:
    const ServerSet& servers_;
    SpinLock lock_;
    List<Process, &Process::ready_link> processes_ GUARDED_BY(lock_);
};

} // namespace parley::sched

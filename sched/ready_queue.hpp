// SPDX-License-Identifier: MIT
// Processes that could run, oldest first. Each processor serves one queue; several may serve the same (paper section 3.2).
#pragma once

#include "kernel/base/spin_lock.hpp"
#include "sched/process.hpp"

namespace parley::sched {

class ReadyQueue {
public:
    void push(Process& process)
    {
        LockGuard guard(lock_);
        processes_.push_back(process);
    }

    // The oldest, or null.
    Process* pop()
    {
        LockGuard guard(lock_);
        return processes_.pop_front();
    }

    bool empty()
    {
        LockGuard guard(lock_);
        return processes_.empty();
    }

private:
    SpinLock lock_;
    List<Process, &Process::ready_link> processes_ GUARDED_BY(lock_);
};

} // namespace parley::sched

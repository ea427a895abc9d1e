// SPDX-License-Identifier: MIT
// The threads of programs whose processes are members of gangs. A gang has a processor for each member and
// none for threads, so these run wherever there is time: on processors that are idle, whatever queue they
// serve, and by turns with what is sliced (dispatcher.cpp).
#pragma once

#include "base/atomic.hpp"
#include "base/spin_lock.hpp"
#include "sched/ready_queue.hpp"
#include "sched/server_set.hpp"

namespace parley::sched {

class ThreadQueue final : public ReadyQueue {
public:
    explicit ThreadQueue(const ServerSet& servers) : servers_(servers) { }

    Process* take(Server&) override
    {
        LockGuard guard(lock_);
        Process* const process = processes_.pop_front();
        if (process != nullptr)
            waiting_.fetch_sub(1, std::memory_order_relaxed);
        return process;
    }
    void add(Process& process) override
    {
        LockGuard guard(lock_);
        processes_.push_back(process);
        waiting_.fetch_add(1, std::memory_order_relaxed);
    }
    // Any that is idle.
    Server* idle_server_for(const Process&) override
    {
        for (unsigned i = 0; i < servers_.count(); ++i) {
            if (servers_[i].claim_idle())
                return &servers_[i];
        }
        return nullptr;
    }
    // A hint.
    bool empty() const { return waiting_.load(std::memory_order_relaxed) == 0; }

private:
    const ServerSet& servers_;
    Atomic<unsigned> waiting_{0};
    SpinLock lock_;
    List<Process, &Process::ready_link> processes_ GUARDED_BY(lock_);
};

} // namespace parley::sched

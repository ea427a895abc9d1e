// SPDX-License-Identifier: MIT
// The threads of programs whose processes are members of gangs. A gang has a processor for each member and
// none for threads, so these run wherever there is time: on processors that are idle, whatever queue they
// serve, and by turns with what is sliced (dispatcher.cpp).
//
// A thread that may run on some processors only (Process::processors) runs there; but where each of these
// has a process that never gives way, anywhere, for else it might wait for ever.
#pragma once

#include "base/atomic.hpp"
#include "base/spin_lock.hpp"
#include "sched/ready_queue.hpp"
#include "sched/server_set.hpp"

namespace parley::sched {

class ThreadQueue final : public ReadyQueue {
public:
    explicit ThreadQueue(const ServerSet& servers) : servers_(servers) { }

    Process* take(Server& server) override
    {
        LockGuard guard(lock_);
        Process* process = processes_.first();
        while (process != nullptr && !suits(server, *process))
            process = processes_.after(*process);
        if (process != nullptr) {
            processes_.remove(*process);
            waiting_.fetch_sub(1, std::memory_order_relaxed);
        }
        return process;
    }
    void add(Process& process) override
    {
        LockGuard guard(lock_);
        processes_.push_back(process);
        waiting_.fetch_add(1, std::memory_order_relaxed);
    }
    // Any that is idle and suits a process that waits here: the one that was added may run already.
    Server* idle_server_for(const Process&) override { return idle_server(); }
    Server* idle_server()
    {
        LockGuard guard(lock_);
        for (Process* process = processes_.first(); process != nullptr;
             process = processes_.after(*process)) {
            if (Server* const idle = claim_idle_for(*process))
                return idle;
        }
        return nullptr;
    }
    // A hint.
    bool empty() const { return waiting_.load(std::memory_order_relaxed) == 0; }

private:
    Server* claim_idle_for(const Process& process) const
    {
        for (unsigned i = 0; i < servers_.count(); ++i) {
            if (suits(servers_[i], process) && servers_[i].claim_idle())
                return &servers_[i];
        }
        return nullptr;
    }
    bool suits(const Server& server, const Process& process) const
    {
        return process.may_run_on(server.index()) || !has_a_place(process);
    }
    // Whether one of its own processors may come to it.
    bool has_a_place(const Process& process) const
    {
        for (unsigned i = 0; i < servers_.count(); ++i) {
            if (process.may_run_on(servers_[i].index()) && servers_[i].gives_way())
                return true;
        }
        return false;
    }

    const ServerSet& servers_;
    Atomic<unsigned> waiting_{0};
    SpinLock lock_;
    List<Process, &Process::ready_link> processes_ GUARDED_BY(lock_);
};

} // namespace parley::sched

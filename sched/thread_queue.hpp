// SPDX-License-Identifier: MIT
// The threads of programs whose processes are members of gangs. A gang has a processor for each member and
// none for threads, so these run wherever there is time: on processors that are idle, whatever queue they
// serve, and in turn with what is sliced (dispatcher.cpp).
//
// A thread that may run on some processors only (Process::processors) runs there. If each of these has a
// process that never gives way, the thread may run on any processor, because otherwise it might wait for
// ever.
//
// Threads that may run on the same processors wait in a list of their own. So processors that look for work
// at the same time, as all do after a tick, neither pass by threads that are not theirs nor wait for
// processors that look for others.
#pragma once

#include "base/atomic.hpp"
#include "base/spin_lock.hpp"
#include "sched/ready_queue.hpp"
#include "sched/server_set.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace parley::sched {

class ThreadQueue final : public ReadyQueue {
public:
    explicit ThreadQueue(const ServerSet& servers) : servers_(servers)
    {
        lists_[0].processors.store(Process::every_processor, std::memory_order_relaxed);
    }

    // Each processor takes from the lists in turn.
    Process* take(Server& server) override
    {
        const std::uint64_t filled = filled_.load(std::memory_order_seq_cst);
        if (filled == 0)
            return nullptr;
        Atomic<unsigned>& turn = turns_[server.index()];
        const unsigned first = turn.load(std::memory_order_relaxed);
        for (std::uint64_t left = std::rotr(filled, static_cast<int>(first)); left != 0; left &= left - 1) {
            const unsigned number = (first + std::countr_zero(left)) % lists;
            if (Process* const process = take_from(number, server)) {
                turn.store((number + 1) % lists, std::memory_order_relaxed);
                return process;
            }
        }
        return nullptr;
    }
    void add(Process& process) override
    {
        const unsigned number = list_for(process.processors);
        Waiting& list = lists_[number];
        LockGuard guard(list.lock);
        if (list.processes.empty())
            filled_.fetch_or(std::uint64_t{1} << number, std::memory_order_seq_cst);
        list.processes.push_back(process);
    }
    // Answers any idle processor that suits any process that waits here, since the process that was added may
    // run already.
    Server* idle_server_for(const Process&) override { return idle_server(); }
    Server* idle_server()
    {
        for (std::uint64_t left = filled_.load(std::memory_order_seq_cst); left != 0; left &= left - 1) {
            const unsigned number = std::countr_zero(left);
            if (Server* const idle =
                    number == mixed ? claim_idle_for_mixed() : claim_idle_for(processors_of(number)))
                return idle;
        }
        return nullptr;
    }
    // This is a hint. But if a processor marks itself idle and then finds nothing here, whoever adds a
    // process afterwards sees the mark.
    bool empty() const { return filled_.load(std::memory_order_seq_cst) == 0; }

private:
    struct alignas(64) Waiting {
        Atomic<std::uint64_t> processors{0}; // of all its threads; written before the list is made known
        SpinLock lock;
        List<Process, &Process::ready_link> processes GUARDED_BY(lock);
    };

    static constexpr unsigned lists = 64;
    static constexpr unsigned mixed = lists - 1; // threads of any processors, when there are no more lists

    std::uint64_t processors_of(unsigned number) const
    {
        return lists_[number].processors.load(std::memory_order_relaxed);
    }
    // Acquire pairs with the release below.
    unsigned list_for(std::uint64_t processors)
    {
        for (unsigned number = 0; number < made_.load(std::memory_order_acquire); ++number)
            if (processors_of(number) == processors)
                return number;
        LockGuard guard(making_);
        const unsigned made = made_.load(std::memory_order_relaxed);
        for (unsigned number = 0; number < made; ++number)
            if (processors_of(number) == processors)
                return number;
        if (made == mixed)
            return mixed;
        lists_[made].processors.store(processors, std::memory_order_relaxed);
        made_.store(made + 1, std::memory_order_release);
        return made;
    }
    Process* take_from(unsigned number, Server& server)
    {
        if (number != mixed && !suits(server, processors_of(number)))
            return nullptr;
        Waiting& list = lists_[number];
        LockGuard guard(list.lock);
        Process* process = list.processes.first();
        while (number == mixed && process != nullptr && !suits(server, process->processors))
            process = list.processes.after(*process);
        if (process == nullptr)
            return nullptr;
        list.processes.remove(*process);
        if (list.processes.empty())
            filled_.fetch_and(~(std::uint64_t{1} << number), std::memory_order_seq_cst);
        return process;
    }
    Server* claim_idle_for_mixed()
    {
        Waiting& list = lists_[mixed];
        LockGuard guard(list.lock);
        for (Process* process = list.processes.first(); process != nullptr;
             process = list.processes.after(*process)) {
            if (Server* const idle = claim_idle_for(process->processors))
                return idle;
        }
        return nullptr;
    }
    Server* claim_idle_for(std::uint64_t processors) const
    {
        const bool anywhere = !has_a_place(processors);
        for (unsigned i = 0; i < servers_.count(); ++i) {
            Server& server = servers_[i];
            if ((anywhere || Process::may_run_on(processors, server.index())) && server.claim_idle())
                return &server;
        }
        return nullptr;
    }
    bool suits(const Server& server, std::uint64_t processors) const
    {
        return Process::may_run_on(processors, server.index()) || !has_a_place(processors);
    }
    // Whether one of these processors may come to a thread of theirs.
    bool has_a_place(std::uint64_t processors) const
    {
        for (std::uint64_t left = processors; left != 0; left &= left - 1) {
            const Server* const server = servers_.with_index(std::countr_zero(left));
            if (server != nullptr && server->gives_way())
                return true;
        }
        return false;
    }

    const ServerSet& servers_;
    Atomic<std::uint64_t> filled_{0}; // a bit for each list that has something
    Atomic<unsigned> made_{1};        // lists that are known
    SpinLock making_;
    std::array<Waiting, lists> lists_;
    std::array<Atomic<unsigned>, ServerSet::capacity + 1>
        turns_{}; // the list that a processor looks at first
};

} // namespace parley::sched

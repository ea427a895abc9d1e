// SPDX-License-Identifier: MIT
// The queue of processes that go before all others of the machine's scheduler: each takes the first place
// there, and where no processor is idle, one is interrupted. No other process looks here, so the queue
// costs the others' wake-ups nothing. They are few and soon wait again, so that one may interrupt another.
#pragma once

#include "sched/gang_host.hpp"
#include "sched/server_set.hpp"

namespace parley::sched {

class UrgentQueue final : public ReadyQueue {
public:
    UrgentQueue(GangHost& host, const ServerSet& servers) : host_(host), servers_(servers) { }

    // Processors serve the scheduler.
    Process* take(Server& server) override { return host_.take(server); }
    void add(Process& process) override { host_.add_first(process); }
    // Interrupts one where none is idle, and then there is nobody else to tell.
    Server* idle_server_for(const Process& process) override
    {
        if (Server* const idle = host_.idle_server_for(process))
            return idle;
        // Not always the same first: its program would pay for all.
        const unsigned start = next_.fetch_add(1, std::memory_order_relaxed);
        for (unsigned i = 0; i < servers_.count(); ++i) {
            Server& server = servers_[(start + i) % servers_.count()];
            if (&server.queue() == &host_ && server.interrupt())
                break;
        }
        return nullptr;
    }

private:
    GangHost& host_;
    const ServerSet& servers_;
    Atomic<unsigned> next_{0};
};

} // namespace parley::sched

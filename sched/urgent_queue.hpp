// SPDX-License-Identifier: MIT
// The queue of processes that go before all others of the machine's scheduler. Each becomes the first
// there, and if no processor is idle, one is interrupted. Other processes never look here, so their
// wake-ups cost nothing more. Urgent processes are few and soon wait again, which is why one may interrupt
// another.
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
    // Interrupts a processor if none is idle. The answer is null then, because the caller need wake nobody.
    Server* idle_server_for(const Process& process) override
    {
        if (Server* const idle = host_.idle_server_for(process))
            return idle;
        // The first to be tried changes; otherwise one processor's program would always be interrupted.
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

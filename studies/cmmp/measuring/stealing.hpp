// SPDX-License-Identifier: MIT
// Process stealing, as Hydra did it on processors of two speeds (Oleinick and Fuller, 3.3.1): a fast
// processor that has nothing to do takes over the process that runs on a slow one. Which processor a process
// gets that becomes ready is the ready queue's choice, which prefers fast ones; this is about those that
// already run.
#pragma once

#include "sched/ready_queue.hpp"
#include "sched/server_set.hpp"

namespace parley::cmmp {

class Stealing {
public:
    // The first `fast` of them are fast, the others slow.
    Stealing(const sched::ServerSet& servers, unsigned fast) : servers_(servers), fast_(fast) { }

    // The idle fast server that takes over `process`, which runs on `server`, and whose queue is to have
    // it. Its idle mark is taken away: the caller puts the process into its queue, or hands it over, and
    // wakes the taker. Null: nobody; `server` is fast itself, no fast one is idle, or the process belongs
    // where it is.
    sched::Server* taker_for(const sched::Server& server, sched::Process& process) const
    {
        if (is_fast(server) || !fast_one_idles(*process.queue))
            return nullptr;
        sched::Server* const taker = process.queue->idle_server_for(process);
        if (taker == nullptr || is_fast(*taker))
            return taker;
        // The fast one has found something else meanwhile. A processor whose mark is gone must be woken.
        taker->wake();
        return nullptr;
    }

    bool is_fast(const sched::Server& server) const { return server.index() < fast_; }

private:
    // A hint, which spares slow ones that are idle the wake-up.
    bool fast_one_idles(const sched::ReadyQueue& queue) const
    {
        for (unsigned i = 0; i < servers_.count() && is_fast(servers_[i]); ++i)
            if (servers_[i].is_idle() && &servers_[i].queue() == &queue)
                return true;
        return false;
    }

    const sched::ServerSet& servers_;
    const unsigned fast_;
};

} // namespace parley::cmmp

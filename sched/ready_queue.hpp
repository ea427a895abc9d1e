// SPDX-License-Identifier: MIT
// A ready queue: who could run. Each processor serves one queue at a time, several may serve the same, and
// both processors and processes can change queues (paper section 3.2).
#pragma once

#include "sched/process.hpp"

namespace parley::sched {

class Server;

// Any processor calls these, with interrupts off and no lock of the queue's held: what it needs it takes
// inside.
class ReadyQueue {
public:
    // A process to run on the processor that asks, or null: nothing for it now. May change which queue the
    // asker serves.
    virtual Process* take(Server& server) = 0;
    // A process can run. Does not wake anybody.
    virtual void add(Process& process) = 0;
    // The idle processor of this queue that is to be woken for `process`; null: none is idle.
    virtual Server* idle_server_for(const Process& process) = 0;

protected:
    ~ReadyQueue() = default;
};

} // namespace parley::sched

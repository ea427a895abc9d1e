// SPDX-License-Identifier: MIT
// A ready queue has the processes that can run. Each processor serves one queue at a time, several may
// serve the same one, and both processors and processes can change queues (paper section 3.2).
#pragma once

#include "sched/process.hpp"

namespace parley::sched {

class Server;

// Any processor may call these. The caller has interrupts off and holds no lock of the queue, which takes
// its own locks.
class ReadyQueue {
public:
    // A process for the processor `server` to run; null: there is none for it now. This may change which
    // queue that processor serves.
    virtual Process* take(Server& server) = 0;
    // A process can run. This wakes nobody.
    virtual void add(Process& process) = 0;
    // The idle processor of this queue that is to be woken for `process`; null: none is idle.
    virtual Server* idle_server_for(const Process& process) = 0;

protected:
    ~ReadyQueue() = default;
};

} // namespace parley::sched

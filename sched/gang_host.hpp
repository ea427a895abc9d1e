// SPDX-License-Identifier: MIT
// The scheduler of the whole machine: a ready queue that also takes gangs.
#pragma once

#include "sched/ready_queue.hpp"

namespace parley::sched {

class Gang;

class GangHost : public ReadyQueue {
public:
    // As add(), of a process of no gang, which goes before all others.
    virtual void add_first(Process& process) = 0;
    // Queues a gang and wakes idle processors for it. It must not want more processors than there are.
    virtual void schedule(Gang& gang) = 0;
    // A member has ended. The last one gives the gang's processors back.
    virtual void member_ended(Gang& gang) = 0;
    // Forget a gang none of whose members has run yet: its job ends before it began. False: it is too late
    // for that.
    virtual bool withdraw(Gang& gang) = 0;
    // Called by one processor at the end of every slice of time. True: every processor must decide again. A
    // policy without slots has nothing to do.
    virtual bool advance() { return false; }

protected:
    ~GangHost() = default;
};

} // namespace parley::sched

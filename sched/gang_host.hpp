// SPDX-License-Identifier: MIT
// The scheduler of the whole machine: a ready queue that also takes gangs.
#pragma once

#include "sched/ready_queue.hpp"

namespace parley::sched {

class Gang;

class GangHost : public ReadyQueue {
public:
    // Like add(), for a process of no gang: it goes before all others.
    virtual void add_first(Process& process) = 0;
    // Queues a gang and wakes idle processors for it. It must not want more processors than there are.
    virtual void schedule(Gang& gang) = 0;
    // A member has ended. The last one gives the gang's processors back.
    virtual void member_ended(Gang& gang) = 0;
    // Forgets a gang of which no member has run yet, because its job ends before it began. False: a member
    // has run, and nothing was done.
    virtual bool withdraw(Gang& gang) = 0;
    // One processor calls this at the end of every time slice. True: every processor must decide again. A
    // policy without slots has nothing to do.
    virtual bool advance() { return false; }

protected:
    ~GangHost() = default;
};

} // namespace parley::sched

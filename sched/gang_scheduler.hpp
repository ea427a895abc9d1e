// SPDX-License-Identifier: MIT
// The ready queue of one gang's members, served by the processors collected for the gang. Policies
// (sched/gang_policy) differ in how the members are queued.
#pragma once

#include "sched/ready_queue.hpp"

namespace parley::sched {

class Gang;

class GangScheduler : public ReadyQueue {
public:
    // All processors have been collected, `last` after the others: make the members ready. The one that
    // `last` runs is the answer, and in no queue: until it ends, the gang and this queue stay.
    virtual Process& dispatch(Gang& gang, Server& last) = 0;

protected:
    ~GangScheduler() = default;
};

} // namespace parley::sched

// SPDX-License-Identifier: MIT
// The ready queue of one gang's members, served by the processors collected for the gang. Policies
// (sched/gang_policy) differ in how the members are queued.
#pragma once

#include "sched/ready_queue.hpp"

namespace parley::sched {

class Gang;

class GangScheduler : public ReadyQueue {
public:
    // All processors have been collected, `last` after the others. This makes the members ready and
    // answers the one that `last` runs, which is in no queue. The gang and this queue exist until that
    // member ends.
    virtual Process& dispatch(Gang& gang, Server& last) = 0;

protected:
    ~GangScheduler() = default;
};

} // namespace parley::sched

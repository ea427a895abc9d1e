// SPDX-License-Identifier: MIT
// The ready queue of one gang's members, served by the processors collected for the gang. Policies
// (sched/gang_policy) differ in how the members are queued.
#pragma once

#include "sched/ready_queue.hpp"

namespace parley::sched {

class Gang;

class GangScheduler : public ReadyQueue {
public:
    // All processors have been collected: make the members ready.
    virtual void dispatch(Gang& gang) = 0;

protected:
    ~GangScheduler() = default;
};

} // namespace parley::sched

// SPDX-License-Identifier: MIT
// What a job does with its processes, their memory and their messages for its Cube (cube.hpp).
#pragma once

#include "kernel/job/cube.hpp"

namespace parley::kernel {

class Job;

class JobMachinery final : public Cube::Machinery {
public:
    explicit JobMachinery(Job& job) : job_(job) { }

    void stop(unsigned endpoint) override;
    sched::PendingWork& pending_work(unsigned endpoint) override;
    const Atomic<bool>& job_ends() const override;
    bool helpers_see_the_end() const override;
    void tell_kill(jobs::Selection whom, bool successors_receive) override;
    void take_back(unsigned endpoint) override;
    void forget_messages(unsigned endpoint) override;
    Result<void> set_pid(unsigned endpoint, int pid) override;
    void give_way() override;

private:
    Job& job_;
};

} // namespace parley::kernel

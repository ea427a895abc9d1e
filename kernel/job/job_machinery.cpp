// SPDX-License-Identifier: MIT
#include "kernel/job/job_machinery.hpp"

#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"

namespace parley::kernel {

void JobMachinery::stop(unsigned endpoint) { job_.stop(job_.processes()[endpoint]); }

sched::PendingWork& JobMachinery::pending_work(unsigned endpoint)
{
    return job_.processes()[endpoint].pending_work;
}

const Atomic<bool>& JobMachinery::job_ends() const { return job_.ends(); }

bool JobMachinery::helpers_see_the_end() const
{
    return job_.messages().helpers_see_the_end(job_.cube().roster().programs());
}

void JobMachinery::take_back(unsigned endpoint) { job_.clear_domain(job_.processes()[endpoint]); }

void JobMachinery::forget_messages(unsigned endpoint)
{
    const messaging::WaitRecord* const record = job_.messages().record(endpoint);
    if (record != nullptr && record->is_live())
        job_.messages().reset(endpoint, messaging::Waiting::dropped);
}

Result<void> JobMachinery::set_pid(unsigned endpoint, int pid)
{
    return job_.messages().set_pid(endpoint, pid);
}

void JobMachinery::give_way() { give_way_once(); }

} // namespace parley::kernel

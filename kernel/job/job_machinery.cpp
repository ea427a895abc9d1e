// SPDX-License-Identifier: MIT
#include "kernel/job/job_machinery.hpp"

#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"

namespace parley::kernel {

// That of another machine is stopped there, by tell_kill().
void JobMachinery::stop(unsigned endpoint)
{
    if (!job_.is_elsewhere(endpoint))
        job_.stop(job_.processes()[endpoint]);
}

sched::PendingWork& JobMachinery::pending_work(unsigned endpoint)
{
    return job_.processes()[endpoint].pending_work;
}

const Atomic<bool>& JobMachinery::job_ends() const { return job_.ends(); }

bool JobMachinery::helpers_see_the_end() const
{
    return job_.messages().helpers_see_the_end(job_.cube().roster().programs());
}

void JobMachinery::tell_kill(jobs::Selection whom, bool successors_receive)
{
    JobNetwork* const network = job_.network();
    if (network == nullptr)
        return;
    for (const unsigned endpoint : job_.cube().roster().meant(whom))
        network->tell({ProgramNotices::What::kill, endpoint, successors_receive ? 1 : 0, false});
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
    TRY_VOID(job_.messages().set_pid(endpoint, pid));
    if (JobNetwork* const network = job_.network(); network != nullptr && !job_.is_elsewhere(endpoint))
        network->tell({ProgramNotices::What::pid, endpoint, pid, false});
    return {};
}

void JobMachinery::give_way() { give_way_once(); }

} // namespace parley::kernel

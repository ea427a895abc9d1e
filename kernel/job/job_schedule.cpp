// SPDX-License-Identifier: MIT
#include "kernel/job/job_schedule.hpp"

#include "base/text.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/process/user_process.hpp"
#include "sched/gang.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"

namespace parley::kernel {

Loaded<JobSchedule> JobSchedule::create(Window& window, const ScheduleWish& wish, const Surroundings& machine)
{
    const auto plan = plan_schedule(wish);
    if (!plan) {
        Text<200> sentence;
        sentence << "a gang of " << wish.members << " is larger than the machine, which has "
                 << wish.processors << (wish.processors == 1 ? " processor" : " processors")
                 << "; give it more (PROCESSORS=" << wish.members
                 << ") or let it share them (SCHEDULE=timeshared)";
        return std::unexpected(refuse_with(sentence.view(), window).error());
    }
    JobSchedule schedule(*plan, machine);
    if (plan->gang)
        TRY_VOID(explain(schedule.make_gang(window), too_little_memory));
    return schedule;
}

Result<void> JobSchedule::make_gang(Window& window)
{
    sched::ReadyQueue* queue = scheduler_;
    if (plan_.gang->queue == GangQueue::shared)
        queue = TRY(window.create<sched::SharedGangScheduler>(*servers_));
    else if (plan_.gang->queue == GangQueue::private_queues)
        queue = TRY(window.create<sched::PrivateGangScheduler>());
    gang_ = TRY(window.create<sched::Gang>(*queue));
    gang_->want_at_most(plan_.gang->processors);
    return {};
}

void JobSchedule::admit(sched::Process& process) const
{
    if (gang_ == nullptr) {
        process.queue = scheduler_;
        return;
    }
    gang_->add(process);
    process.kind = plan_.gang->sliced ? sched::ProcessKind::application : sched::ProcessKind::uninterruptible;
}

void JobSchedule::admit_policy_process(sched::Process& process) const
{
    admit(process);
    if (gang_ == nullptr)
        process.queue = urgent_;
}

void JobSchedule::admit_device(sched::Process& process) const { process.queue = service_; }

void JobSchedule::begin(const JobProcesses& processes) const
{
    if (gang_ != nullptr)
        scheduler_->schedule(*gang_);
    for (UserProcess* const process : processes)
        if (process->gang == nullptr)
            sched::make_ready(*process);
}

void JobSchedule::withdraw(const JobProcesses& processes) const
{
    if (gang_ == nullptr || !scheduler_->withdraw(*gang_))
        return;
    for (UserProcess* const process : processes) {
        if (process->gang == nullptr)
            continue;
        process->gang = nullptr;
        process->queue = scheduler_;
        process->kind = sched::ProcessKind::application;
        sched::make_ready(*process);
    }
}

void JobSchedule::leave_processors() const
{
    for (unsigned i = 0; gang_ != nullptr && i < servers_->count(); ++i) {
        while ((*servers_)[i].asks(gang_->queue()))
            give_way_once();
    }
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// Making a job's gang as planned (schedule_plan.hpp), and its processes its members.
#include "kernel/base/text.hpp"
#include "kernel/job/job_builder.hpp"
#include "kernel/job/sentences.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"

namespace parley::kernel {

Loaded<void> JobBuilder::choose_schedule()
{
    const JobConfiguration& wanted = job_.configuration_;
    const unsigned processors = job_.kernel_.processors;
    const unsigned members = endpoint_count();
    const auto plan = plan_schedule({.schedule = wanted.schedule,
                                     .policy = job_.kernel_.configuration.gang_policy,
                                     .shared_ready_queue = job_.design_.shared_ready_queue,
                                     .least_processors = messaging::least_processors(job_.design_, members),
                                     .independent = wanted.host || wanted.pids > 1,
                                     .programs = wanted.programs(),
                                     .members = members,
                                     .processors = processors});
    if (plan) {
        job_.schedule_ = *plan;
        return plan->gang ? make_gang(*plan->gang) : Loaded<void>{};
    }
    char memory[200];
    TextWriter sentence(memory);
    sentence << "a gang of " << members << " is larger than the machine, which has " << processors
             << (processors == 1 ? " processor" : " processors") << "; give it more (PROCESSORS=" << members
             << ") or let it share them (SCHEDULE=timeshared)";
    return refuse_with(sentence.view());
}

Loaded<void> JobBuilder::make_gang(const SchedulePlan::Gang& plan)
{
    const sched::ServerSet& servers = job_.kernel_.servers;
    sched::ReadyQueue* queue = nullptr;
    switch (plan.queue) {
    case GangQueue::slots: queue = job_.kernel_.slots; break;
    case GangQueue::shared:
        queue = job_.window_.create<sched::SharedGangScheduler>(servers).value_or(nullptr);
        break;
    case GangQueue::private_queues:
        queue = job_.window_.create<sched::PrivateGangScheduler>().value_or(nullptr);
        break;
    }
    const Result<sched::Gang*> gang =
        queue == nullptr ? std::unexpected(Error::no_memory) : job_.window_.create<sched::Gang>(*queue);
    if (!gang)
        return refuse(too_little_memory, gang.error());
    job_.gang_ = *gang;
    job_.gang_->want_at_most(plan.processors);
    return {};
}

void JobBuilder::schedule(UserProcess& process)
{
    if (job_.gang_ == nullptr) {
        process.queue = job_.kernel_.scheduler;
        return;
    }
    job_.gang_->add(process);
    process.kind =
        job_.schedule_.gang->sliced ? sched::ProcessKind::application : sched::ProcessKind::uninterruptible;
}

} // namespace parley::kernel

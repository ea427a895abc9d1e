// SPDX-License-Identifier: MIT
// Making a job's gang as planned (schedule_plan.hpp), and its processes its members.
#include "base/text.hpp"
#include "kernel/job/job_builder.hpp"
#include "kernel/job/sentences.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"

namespace parley::kernel {

Loaded<void> JobBuilder::choose_schedule()
{
    const JobConfiguration& wanted = job_.configuration();
    const unsigned processors = kernel_.processors;
    const unsigned members = process_count();
    const auto plan = plan_schedule({.schedule = wanted.schedule,
                                     .policy = kernel_.configuration.gang_policy,
                                     .shared_ready_queue = parts_.design.shared_ready_queue,
                                     .least_processors = messaging::least_processors(parts_.design, members),
                                     .independent = wanted.host || wanted.pids > 1,
                                     .programs = wanted.programs(),
                                     .members = members,
                                     .processors = processors});
    if (plan) {
        parts_.schedule = *plan;
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
    const sched::ServerSet& servers = kernel_.servers;
    sched::ReadyQueue* queue = nullptr;
    switch (plan.queue) {
    case GangQueue::slots: queue = kernel_.scheduler; break;
    case GangQueue::shared:
        queue = parts_.window.create<sched::SharedGangScheduler>(servers).value_or(nullptr);
        break;
    case GangQueue::private_queues:
        queue = parts_.window.create<sched::PrivateGangScheduler>().value_or(nullptr);
        break;
    }
    const Result<sched::Gang*> gang =
        queue == nullptr ? std::unexpected(Error::no_memory) : parts_.window.create<sched::Gang>(*queue);
    if (!gang)
        return refuse(too_little_memory, gang.error());
    parts_.gang = *gang;
    parts_.gang->want_at_most(plan.processors);
    return {};
}

void JobBuilder::schedule(UserProcess& process)
{
    if (parts_.gang == nullptr) {
        process.queue = kernel_.scheduler;
        return;
    }
    parts_.gang->add(process);
    process.kind =
        parts_.schedule.gang->sliced ? sched::ProcessKind::application : sched::ProcessKind::uninterruptible;
}

} // namespace parley::kernel

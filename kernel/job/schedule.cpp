// SPDX-License-Identifier: MIT
// How a job's processes get processors: as a gang, one each and never preempted, or timeshared with
// everything else.
#include "kernel/base/text.hpp"
#include "kernel/job/job_builder.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"

namespace parley::kernel {

namespace {

constexpr std::string_view too_little_memory =
    "there is too little memory for the job; boot with more (MEMORY=)";

} // namespace

Loaded<void> JobBuilder::choose_schedule()
{
    const JobConfiguration& wanted = job_.configuration_;
    const unsigned processors = job_.kernel_.processors;
    const unsigned members = messaging::endpoint_count(traits_, wanted.nodes, wanted.pids, wanted.host);
    if (wanted.schedule == Schedule::timeshared)
        return {};
    if (members <= processors)
        return make_gang(members);
    // Members that block can do with fewer processors, if any of these may run any of them.
    if (!traits_.spins && job_.design_.shared_ready_queue && job_.kernel_.slots == nullptr)
        return make_gang(processors);
    // Host programs and several processes a node were written for processors of their own.
    const bool plain = (!wanted.host && wanted.pids == 1) || wanted.programs() <= processors;
    if (wanted.schedule == Schedule::automatic && plain)
        return {};
    char memory[200];
    TextWriter sentence(memory);
    sentence << "a gang of " << members << " is larger than the machine, which has " << processors
             << " processors; give it more (PROCESSORS=" << members
             << ") or let it share them (SCHEDULE=timeshared)";
    return refuse_with(sentence.view());
}

Loaded<void> JobBuilder::make_gang(unsigned processors)
{
    const sched::ServerSet& servers = job_.kernel_.servers;
    sched::ReadyQueue* queue = job_.kernel_.slots;
    if (queue == nullptr) {
        job_.design_.shared_ready_queue = job_.shares_gang_queue();
        if (job_.design_.shared_ready_queue)
            queue = job_.window_.create<sched::SharedGangScheduler>(servers).value_or(nullptr);
        else
            queue = job_.window_.create<sched::PrivateGangScheduler>().value_or(nullptr);
    }
    const Result<sched::Gang*> gang =
        queue == nullptr ? std::unexpected(Error::no_memory) : job_.window_.create<sched::Gang>(*queue);
    if (!gang)
        return refuse(too_little_memory, gang.error());
    job_.gang_ = *gang;
    job_.gang_->want_at_most(processors);
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
        job_.kernel_.slots == nullptr ? sched::ProcessKind::uninterruptible : sched::ProcessKind::application;
}

} // namespace parley::kernel

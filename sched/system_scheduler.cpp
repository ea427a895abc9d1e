// SPDX-License-Identifier: MIT
#include "sched/system_scheduler.hpp"

#include "assertion.hpp"
#include "sched/process.hpp"
#include "sched/trace_points.hpp"

namespace parley::sched {

namespace {

// Gangs that come here were made with a GangScheduler as their queue.
GangScheduler& scheduler_of(Gang& gang) { return static_cast<GangScheduler&>(gang.queue()); }

} // namespace

Process* SystemScheduler::take(Server& server)
{
    Gang* complete = nullptr;
    {
        LockGuard guard(lock_);
        if (collecting_ == nullptr)
            collecting_ = gangs_.pop_front();
        if (collecting_ == nullptr)
            return processes_.pop_front();
        complete = collect(server);
    }
    if (complete == nullptr)
        return nullptr;
    // From here on the others may run their members, and ours alone keeps the gang from ending.
    Process& member = scheduler_of(*complete).dispatch(*complete, server);
    for (unsigned i = 0; i < complete->processor_count; ++i) {
        Server& processor = *complete->processors[i];
        if (&processor != &server && processor.claim_idle())
            processor.wake();
    }
    return &member;
}

// One processor more for the gang that collects; the gang, when it was the last.
Gang* SystemScheduler::collect(Server& server)
{
    Gang& gang = *collecting_;
    if (gang.processor_count == 0) {
        gang.times.begun = clock_();
        trace::gang_begun(gang);
    }
    gang.processors[gang.processor_count++] = &server;
    server.serve(gang.queue());
    if (gang.processor_count < gang.wanted())
        return nullptr;
    gang.times.collected = clock_();
    trace::gang_collected(gang);
    collecting_ = nullptr;
    return &gang;
}

void SystemScheduler::add(Process& process)
{
    LockGuard guard(lock_);
    processes_.push_back(process);
}

void SystemScheduler::add_first(Process& process)
{
    LockGuard guard(lock_);
    processes_.push_front(process);
}

Server* SystemScheduler::idle_server_for(const Process&) { return servers_.claim_idle(*this); }

void SystemScheduler::schedule(Gang& gang)
{
    gang.times.scheduled = clock_();
    trace::gang_scheduled(gang);
    {
        LockGuard guard(lock_);
        gangs_.push_back(gang);
    }
    wake_idle(gang.wanted());
}

void SystemScheduler::member_ended(Gang& gang)
{
    // The last one out: everybody else's end is before this.
    const unsigned living = gang.living.fetch_sub(1, std::memory_order_acq_rel);
    assert_that([&] { return living != 0; });
    if (living == 1)
        give_back(gang);
}

bool SystemScheduler::withdraw(Gang& gang)
{
    {
        LockGuard guard(lock_);
        if (gang.link.linked())
            gangs_.remove(gang);
        else if (collecting_ == &gang)
            collecting_ = nullptr;
        else
            return false;
    }
    give_back(gang);
    return true;
}

void SystemScheduler::give_back(Gang& gang)
{
    gang.times.ended = clock_();
    trace::gang_freed(gang);
    for (unsigned i = 0; i < gang.processor_count; ++i)
        gang.processors[i]->serve(*this);
    // They may be idle, since their queue was empty; here there may be work.
    for (unsigned i = 0; i < gang.processor_count; ++i) {
        if (gang.processors[i]->claim_idle())
            gang.processors[i]->wake();
    }
}

void SystemScheduler::wake_idle(unsigned count)
{
    // Each once: one that has been woken marks itself idle again before it comes to the gang.
    for (unsigned i = 0; i < servers_.count() && count > 0; ++i) {
        Server& server = servers_[i];
        if (&server.queue() != this || !server.claim_idle())
            continue;
        server.wake();
        --count;
    }
}

} // namespace parley::sched

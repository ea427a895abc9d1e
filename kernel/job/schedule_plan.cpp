// SPDX-License-Identifier: MIT
#include "kernel/job/schedule_plan.hpp"

namespace parley::kernel {

namespace {

// Members that block can do with fewer processors than members, where any of these may run any of them. One
// queue a processor, and one column of the slots, belong to one member each.
bool can_be_smaller(const ScheduleWish& wish, GangQueue queue)
{
    return wish.least_processors <= wish.processors && queue == GangQueue::shared;
}

} // namespace

std::string_view SchedulePlan::name() const
{
    if (!gang)
        return "timeshared";
    switch (gang->queue) {
    case GangQueue::shared: return "gang,shared";
    case GangQueue::private_queues: return "gang,private";
    case GangQueue::slots: return "gang,slots";
    }
    return "unknown";
}

GangQueue gang_queue(GangPolicy policy, bool shared_ready_queue)
{
    switch (policy) {
    case GangPolicy::shared: return GangQueue::shared;
    case GangPolicy::private_queues: return GangQueue::private_queues;
    case GangPolicy::slots: return GangQueue::slots;
    case GangPolicy::by_design: break;
    }
    return shared_ready_queue ? GangQueue::shared : GangQueue::private_queues;
}

std::optional<SchedulePlan> plan_schedule(const ScheduleWish& wish)
{
    if (wish.schedule == Schedule::timeshared)
        return SchedulePlan{};
    const GangQueue queue = gang_queue(wish.policy, wish.shared_ready_queue);
    if (wish.members <= wish.processors)
        return SchedulePlan{{{queue, wish.members, queue == GangQueue::slots}}};
    if (can_be_smaller(wish, queue))
        return SchedulePlan{{{queue, wish.processors, true}}};
    const bool may_share = !wish.independent || wish.programs <= wish.processors;
    if (wish.schedule == Schedule::automatic && may_share)
        return SchedulePlan{};
    return std::nullopt;
}

} // namespace parley::kernel

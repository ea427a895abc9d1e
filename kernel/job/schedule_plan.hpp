// SPDX-License-Identifier: MIT
// How the processes of a job get processors: decided in one place, from what was asked for and what the
// machine has, before anything is made. It asks and changes nothing else, so the whole matrix of wishes is
// tried on the host.
#pragma once

#include "kernel/program/configuration.hpp"

#include <optional>

namespace parley::kernel {

// What the decision depends on.
struct ScheduleWish {
    Schedule schedule = Schedule::automatic;
    GangPolicy policy = GangPolicy::by_design;
    bool shared_ready_queue = false; // the design's own
    unsigned least_processors = 1;   // that all members together can do with
    bool independent = false; // a host, or several processes a node: written for processors of their own
    unsigned programs = 0;
    unsigned members = 0; // the programs and the delivery processes
    unsigned processors = 0;
};

// Where the members of a gang wait for a processor.
enum class GangQueue : std::uint8_t { shared, private_queues, slots };

struct SchedulePlan {
    struct GangPlan {
        GangQueue queue;
        unsigned processors; // at most one for each member
        // Fewer processors than members, or slots: the members take turns at the end of a slice. Otherwise
        // each keeps its processor until it waits or ends.
        bool sliced;
    };
    std::optional<GangPlan> gang; // none: timeshared with everything else

    // As the record has it: "timeshared", "gang,shared", "gang,private" or "gang,slots".
    std::string_view name() const;
};

// None: the machine cannot be shared as it was asked for. Every plan lets each process run in the end,
// whatever the others do: either it has a processor of its own, or all who share one are sliced.
std::optional<SchedulePlan> plan_schedule(const ScheduleWish& wish);

// The queue that gangs of this design have under a policy.
GangQueue gang_queue(GangPolicy policy, bool shared_ready_queue);

} // namespace parley::kernel

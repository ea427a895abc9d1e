// SPDX-License-Identifier: MIT
// A job of the study on a simulated machine: a task force over one kind of semaphores, and that kind's policy
// processes, with a processor for each process unless the hardware is given. The semaphores are the system's
// own (sched/semaphore) and the rootfinder is the program's (apps/rootfinder of this study); what their
// operations cost is given.
#pragma once

#include "messaging/design/semaphores.hpp"
#include "studies/cmmp/simulated/device.hpp"
#include "studies/cmmp/simulated/messages.hpp"
#include "studies/cmmp/simulated/programs.hpp"

#include "interface/semaphores.h"

#include <vector>

extern "C" {
#include "studies/cmmp/apps/rootfinder/lengths.h"
}

namespace parley::simulated {

// In nanoseconds.
struct Costs {
    Nanoseconds p = 0, v = 0;      // of who does it; of P, until it looks at the count
    Nanoseconds v_each = 0;        // of a V of several, for each but the first
    Nanoseconds wake_each = 0;     // of who wakes one of several by a tree
    Nanoseconds wake = 0;          // of a process, from when it is ready until it runs
    Nanoseconds policy_wake = 0;   // the same, of a policy process
    Nanoseconds communication = 0; // of a policy process that hands a request on
    Nanoseconds scheduling = 0;    // of one that stops or starts a process, beside the disk's time
    Nanoseconds search = 0;        // the same, to find the dirty pages of a process that waits
    Nanoseconds rotation = 0;      // of the disks; 0: pages take no time
    Nanoseconds turn = 1;          // between two looks at a spin lock
    Nanoseconds find = 0;          // FIND, and so much more for each process
    Nanoseconds find_each = 0;
    MessageCosts message;
};

struct Question {
    messaging::LeafChoice semaphore;
    bool by_messages = false; // else semaphores carry the stages
    bool together = false;    // one call wakes all others
    unsigned processes = 1;   // at most most_processes
    Costs costs;
    unsigned disks = 4;
    unsigned pages = 1; // that a process has written to when it waits
    struct lengths lengths{length_constant, 20'000, 25, 1};
    double mean = 1e6; // of an evaluation, nanoseconds
    long roots = 50;
    Hardware hardware{.fast = 0}; // no processors: one for each process
    std::vector<unsigned> code;   // bank that each process evaluates in; none: nobody is in another's way
    Traffic traffic;
    bool samples = false;                     // whether each single time is wanted
    Nanoseconds watch_from = 0, watch_to = 0; // what processors do then is wanted, too
};

// Means over all stages; times in nanoseconds.
struct StageMeans {
    bool ended = false; // else its processes waited for ever
    long stages = 0;
    long wrong = 0; // roots that are off by more than epsilon, or took another number of stages
    Nanoseconds elapsed = 0;
    double evaluation = 0, deviation = 0;
    double largest = 0; // of a stage's evaluations
    double find = 0, wake_others = 0;
    // From the first V of a stage until the first, second, ... process goes on.
    std::vector<double> woken_after;
    parley_semaphore_counts counts{};
    double policy_share = 0; // of the elapsed time that the busiest policy process computes
    MachineCounts machine;
    // Where they are wanted: the time of each stage, who came last, and in it of each process's evaluation.
    std::vector<double> stage_times;
    std::vector<Span> spans;
    std::vector<double> last;                     // by its number, from 0
    std::vector<std::vector<double>> evaluations; // by process, then by stage
};

StageMeans find_roots(const Question& question);

// What one process pays to wait for another, without any contention: table 4.1.
struct Primitives {
    double p = 0, v = 0;
    double wake = 0;    // from the end of V until the process runs
    double service = 0; // of policy processes, meanwhile
    double stop = 0;    // of these, before, for the process that waits
};
// V comes so long after its P.
Primitives measure(const Question& question, Nanoseconds gap);

} // namespace parley::simulated

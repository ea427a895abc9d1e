// SPDX-License-Identifier: MIT
// A process as the scheduler sees it: a saved context, an address space, a ready queue. Its owner decides
// what it runs.
#pragma once

#include "arch/execution_state.hpp"
#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "sched/pending_work.hpp"

#include <cstdint>

namespace parley::sched {

class Gang;
class ReadyQueue;
struct WaitBucket;

// System processes do the kernel's own work; application processes share processors by time slices;
// uninterruptible ones keep their processor, without ticks, until they wait or end (paper section 3.2).
enum class ProcessKind : std::uint8_t { system, application, uninterruptible };

class Process {
public:
    Process() = default;
    Process(const Process&) = delete;

    static constexpr std::uint64_t every_processor = ~std::uint64_t{0};

    bool may_run_on(unsigned processor) const { return may_run_on(processors, processor); }
    static bool may_run_on(std::uint64_t processors, unsigned processor)
    {
        return processors == every_processor || (processors >> processor & 1) != 0;
    }

    // Its creator sets these before make_ready().
    arch::ExecutionState execution;
    ReadyQueue* queue = nullptr; // where it goes when it can run
    ProcessKind kind = ProcessKind::application;
    Gang* gang = nullptr; // that it is a member of
    unsigned member = 0;  // its number in the gang
    // A bit for each processor that it may run on, where it is a thread (ThreadQueue). It sets them itself.
    std::uint64_t processors = every_processor;
    Link gang_link; // among the gang's members
    const char* name = "";
    std::uint32_t label =
        0; // for reports: number of its job + 1, then 16 bits for its endpoint; 0: the kernel's own

    // True from dispatch until its context is saved again: only then may another processor take it, or its
    // owner free it.
    Atomic<bool> on_processor{false};
    PendingWork pending_work;
    // It spins in the kernel with interrupts on, and may be preempted there. Only the process writes this.
    bool preemptible = false;
    std::uint64_t switches = 0;                // times it was given a processor
    std::uint64_t ticks = 0;                   // of the clock that interrupted it
    std::uint64_t interrupted_nanoseconds = 0; // by service routines of a device
    std::uint64_t allotted_at = 0; // when it last was given time slices, in these ticks: a measuring kernel's

    Link ready_link;
    Link wait_link;
    Atomic<WaitBucket*> waiting_in{nullptr};
    std::uint64_t wait_key[2] = {};
};

} // namespace parley::sched

// SPDX-License-Identifier: MIT
// What a job is made of: JobBuilder makes it part by part, before any process runs; from then on no part is
// replaced, and the job gives all of them back together.
#pragma once

#include "kernel/job/context_switch.hpp"
#include "kernel/job/line_sink.hpp"
#include "kernel/job/location.hpp"
#include "kernel/job/process_pages.hpp"
#include "kernel/job/schedule_plan.hpp"
#include "kernel/job/semaphores.hpp"
#include "kernel/job/shares.hpp"
#include "kernel/job/wait_monitor.hpp"
#include "kernel/job/word_waits.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/program/file_store.hpp"
#include "kernel/program/standard_input.hpp"
#include "messaging/design/design.hpp"

#include <span>

namespace parley::sched {
class Gang;
}

namespace parley::kernel {

class Programs;
class UserProcess;

struct JobParts {
    // A job that is refused still needs a little, for the sentence that says so.
    JobParts(FramePool& pool, Share memory, unsigned window_index)
        : share(memory), frames(pool, (memory.fits() ? memory.bytes : Share::least) / page_bytes),
          window(window_index, frames), files(window)
    {
    }
    JobParts(const JobParts&) = delete;

    const Share share;
    // The memory that all the others are charged to, and lie in.
    FrameOwner frames;
    Window window;

    messaging::Design design;
    Location* location = nullptr;
    ContextSwitch* context_switch = nullptr;
    SharedRegion* shared = nullptr;
    JobMessages* messages = nullptr;
    messaging::LeafChoice disk; // for pages of waiting processes
    ProcessPages* pages = nullptr;
    SemaphoreKind* semaphore_kind = nullptr;
    JobSemaphores* semaphores = nullptr;
    // Of its design's synchronization; null: that waits by none.
    SemaphoreKind* waiting_kind = nullptr;
    JobWordWaits* word_waits = nullptr;
    SchedulePlan schedule;
    sched::Gang* gang = nullptr; // as planned; null: timeshared
    Domain** domains = nullptr;
    unsigned domain_count = 0;
    UserProcess** processes = nullptr; // by endpoint: programs, then helpers; then policy processes
    unsigned process_count = 0;        // that are complete
    Programs** programs = nullptr;     // what the first of them do, by endpoint

    // For its programs.
    LineSink sink;
    FileStore files;
    StandardInput input;
    std::span<std::byte> scratch; // for starting them
    WaitMonitor waits;
};

// Of both kinds: first those of its semaphores.
inline unsigned policy_processes(const JobParts& parts)
{
    unsigned processes = 0;
    for (const SemaphoreKind* const kind : {parts.semaphore_kind, parts.waiting_kind})
        processes += kind == nullptr ? 0 : kind->semaphore().processes();
    return processes;
}

} // namespace parley::kernel

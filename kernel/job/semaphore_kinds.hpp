// SPDX-License-Identifier: MIT
// The kinds of semaphores in a job: its programs' own, and, where its design waits by semaphores, that of its
// message system. Their policy processes are processes of the job, which come after all others; those of the
// programs' kind come first.
#pragma once

#include "kernel/job/job_choices.hpp"
#include "kernel/job/process_pages.hpp"
#include "kernel/job/semaphores.hpp"
#include "kernel/job/word_waits.hpp"

namespace parley::kernel {

class SemaphoreKinds {
public:
    // Makes the kinds for a job of that number, with so many programs and endpoints, in the window. Errors:
    // not_found, no_memory.
    static Result<SemaphoreKinds> create(Window& window, TimerQueue& timers, DiskHook* disk,
                                         const JobChoices& choices, unsigned job, unsigned programs,
                                         unsigned endpoints);

    JobSemaphores& semaphores() const { return *semaphores_; }
    // Null: the job's processes do not wait by semaphores for what its message system has them wait for.
    JobWordWaits* word_waits() const { return word_waits_; }
    ProcessPages& pages() const { return *pages_; }
    unsigned policy_processes() const;

    // Does the work of the policy process of that number, below policy_processes(). Returns when nobody needs
    // it any more, or when the process must end. Called by that process.
    void run_policy_process(unsigned number) const;
    // A process that runs programs will never use the programs' kind again.
    void program_gone() const { programs_->user_gone(); }
    // A process with an endpoint will never wait for messages again.
    void endpoint_gone() const
    {
        if (waits_ != nullptr)
            waits_->user_gone();
    }

private:
    SemaphoreKinds() = default;

    ProcessPages* pages_ = nullptr;
    SemaphoreKind* programs_ = nullptr;
    JobSemaphores* semaphores_ = nullptr;
    SemaphoreKind* waits_ = nullptr; // null together with word_waits_
    JobWordWaits* word_waits_ = nullptr;
};

} // namespace parley::kernel

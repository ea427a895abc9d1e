// SPDX-License-Identifier: MIT
#include "kernel/job/semaphore_kinds.hpp"

namespace parley::kernel {

Result<SemaphoreKinds> SemaphoreKinds::create(Window& window, TimerQueue& timers, DiskHook* disk,
                                              const JobChoices& choices, unsigned job, unsigned programs,
                                              unsigned endpoints)
{
    SemaphoreKinds made;
    made.pages_ = TRY(window.create<ProcessPages>(timers, disk));
    made.programs_ = TRY(SemaphoreKind::create(window, choices.semaphore(), programs, *made.pages_, timers));
    made.semaphores_ = TRY(window.create<JobSemaphores>(window, job, programs, *made.programs_));
    const messaging::Design& design = choices.design();
    const std::string_view waits = messaging::traits_of(design).semaphores;
    if (waits.empty())
        return made;
    made.waits_ = TRY(SemaphoreKind::create(window, {waits, design.synchronization.values}, endpoints,
                                            *made.pages_, timers));
    made.word_waits_ = TRY(JobWordWaits::create(window, *made.waits_, endpoints));
    return made;
}

unsigned SemaphoreKinds::policy_processes() const
{
    return programs_->semaphore().processes() + (waits_ == nullptr ? 0 : waits_->semaphore().processes());
}

void SemaphoreKinds::run_policy_process(unsigned number) const
{
    sched::Semaphore& of_programs = programs_->semaphore();
    if (number < of_programs.processes())
        of_programs.run(number);
    else
        waits_->semaphore().run(number - of_programs.processes());
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/job/job_choices.hpp"

#include "kernel/job/sentences.hpp"
#include "messaging/design/semaphores.hpp"

namespace parley::kernel {

Loaded<void> JobChoices::read(const JobConfiguration& job, const messaging::MachineSize& machine,
                              Arena& sentences)
{
    messaging::LeafChoice kind;
    messaging::FixedString problem = messaging::parse_semaphore(
        job.semaphore.empty() ? messaging::standard_semaphore : job.semaphore, kind);
    if (!problem.empty())
        return refuse_with(problem.text(), sentences);
    semaphore_ = kind;
    problem = messaging::parse_design(job.design, design_);
    if (!problem.empty())
        return refuse_with(problem.text(), sentences);
    problem = messaging::refusal(design_, machine);
    if (!problem.empty())
        return refuse_with(problem.text(), sentences);
    return {};
}

} // namespace parley::kernel

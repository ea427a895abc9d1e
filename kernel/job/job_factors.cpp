// SPDX-License-Identifier: MIT
#include "kernel/job/job_factors.hpp"

#include "kernel/job/composition.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

Loaded<JobFactors> JobFactors::create(Arena& arena, const messaging::Design& design,
                                      const JobConfiguration& job)
{
    const Result<SystemHome*> system_home = make_system_home(arena, design);
    const Result<Residency*> residency = make_residency(arena, design);
    const auto is_missing = [](const auto& made) { return !made && made.error() == Error::not_found; };
    if (is_missing(system_home) || is_missing(residency))
        return refuse("this kernel makes no jobs with that location or context-switch: `make designs` lists "
                      "those it has",
                      Error::not_found);
    if (!system_home || !residency)
        return refuse(too_little_memory, Error::no_memory);
    if (!composes(design))
        return refuse("the message system was built with static dispatch, which has the presets and a few "
                      "designs beside them (`make designs`); use DISPATCH=virtual",
                      Error::not_found);
    JobFactors factors(design, **system_home, **residency);
    const unsigned helpers = messaging::helpers_of(design);
    factors.endpoints_ = messaging::endpoint_count(helpers, job.nodes, job.pids, job.host);
    factors.in_domains_ = (*system_home)->in_domains(job.programs(), helpers);
    return factors;
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/job/job_factors.hpp"

#include "kernel/job/composition.hpp"
#include "kernel/job/sentences.hpp"

namespace parley::kernel {

Loaded<JobFactors> JobFactors::create(Arena& arena, const messaging::Design& design,
                                      const JobConfiguration& job)
{
    const Result<Location*> location = make_location(arena, design);
    const Result<ContextSwitch*> context_switch = make_context_switch(arena, design);
    const auto is_missing = [](const auto& made) { return !made && made.error() == Error::not_found; };
    if (is_missing(location) || is_missing(context_switch))
        return refuse("this kernel makes no jobs with that location or context-switch: `make designs` lists "
                      "those it has",
                      Error::not_found);
    if (!location || !context_switch)
        return refuse(too_little_memory, Error::no_memory);
    if (!(*location)->composes(design))
        return refuse("the message system was built with static dispatch, for the presets only; use "
                      "DISPATCH=virtual",
                      Error::not_found);
    JobFactors factors(design, **location, **context_switch);
    const unsigned helpers = messaging::helpers_of(design);
    factors.endpoints_ = messaging::endpoint_count(helpers, job.nodes, job.pids, job.host);
    factors.in_domains_ = (*location)->in_domains(job.programs(), helpers);
    return factors;
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// A job's design with the classes of it that decide something when the job is made: how many processes the
// job has, where they live, and where its message system does. The objects of these classes lie in the job's
// window.
#pragma once

#include "kernel/job/residency.hpp"
#include "kernel/job/system_home.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/trace_points.hpp"

namespace parley::kernel {

class JobFactors {
public:
    // Errors: not_found, where this kernel makes no jobs of that design; no_memory.
    static Loaded<JobFactors> create(Arena& arena, const messaging::Design& design,
                                     const JobConfiguration& job);

    const messaging::Design& design() const { return *design_; }
    SystemHome& system_home() const { return *system_home_; }
    const Residency& residency() const { return *residency_; }

    // The processes that the message system knows: those that run programs, and then its helpers.
    unsigned endpoints() const { return endpoints_; }
    // How many of them live in domains: the first.
    unsigned in_domains() const { return in_domains_; }
    // Room at the end of the shared region for what its processes write down themselves.
    std::size_t trace_bytes() const { return trace::area_bytes(endpoints_); }

private:
    JobFactors(const messaging::Design& design, SystemHome& system_home, const Residency& residency)
        : design_(&design), system_home_(&system_home), residency_(&residency)
    {
    }

    const messaging::Design* design_;
    SystemHome* system_home_;
    const Residency* residency_;
    unsigned endpoints_ = 0;
    unsigned in_domains_ = 0;
};

} // namespace parley::kernel

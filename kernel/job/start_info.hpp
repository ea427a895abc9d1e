// SPDX-License-Identifier: MIT
// What the programs of a job are told of their places in it: interface/start_info.h.
#pragma once

#include "interface/start_info.h"
#include "jobs/roster.hpp"
#include "kernel/job/job_factors.hpp"
#include "kernel/job/job_memory.hpp"
#include "kernel/program/configuration.hpp"

namespace parley::kernel {

class UserProcess;

class StartInfo {
public:
    // The job's memory and its message system have been made. The roster outlives this. `processors`: how
    // many run jobs; `clusters`: what the machine has.
    StartInfo(const JobConfiguration& job, const JobFactors& factors, const JobMemory& memory,
              const messaging::LeafChoice& semaphore, const jobs::Roster& roster, unsigned processors,
              const ClusterTable& clusters);

    // What the process's next program, or its work as a helper, is told. The process has its proxies.
    parley_start of(const UserProcess& process) const;

private:
    parley_start all_; // what all processes of the job are told
    const jobs::Roster& roster_;
};

} // namespace parley::kernel

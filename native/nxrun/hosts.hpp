// SPDX-License-Identifier: MIT
// Starts the nxruns of several machines by an MPI's own mpirun (nxrun --hosts).
#pragma once

#include "native/nxrun/options.hpp"

namespace parley::native {

// The design of a job on options.hosts: what was asked for, or the default for the host that most of its
// processes share. `processors`: of each host, which are taken to be alike.
std::string design_on_hosts(const NxrunOptions& options, unsigned processors);

// Runs mpirun, which starts nxrun with `words`, the words of this nxrun's own command line, and with
// `design`. Returns mpirun's exit status; where a machine was lost 1, when it has written a sentence that
// says so. Throws BadRequest.
int run_on_hosts(const NxrunOptions& options, const std::string& design, char** words);

} // namespace parley::native

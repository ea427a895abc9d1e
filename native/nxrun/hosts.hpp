// SPDX-License-Identifier: MIT
// nxrun --hosts: the machines' nxruns are started by an MPI's own mpirun.
#pragma once

#include "native/nxrun/options.hpp"

namespace parley::native {

// `words`: those that this nxrun was started with. Becomes mpirun; returns only by throwing BadRequest.
int run_on_hosts(const Options& options, char** words);

} // namespace parley::native

// SPDX-License-Identifier: MIT
// Starts the nxruns of several machines by an MPI's own mpirun (nxrun --hosts).
#pragma once

#include "native/nxrun/options.hpp"

namespace parley::native {

// Becomes mpirun, which starts nxrun with `words`, the words of this nxrun's own command line. Returns only
// by throwing BadRequest.
int run_on_hosts(const Options& options, char** words);

} // namespace parley::native

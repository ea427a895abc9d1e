// SPDX-License-Identifier: MIT
// What can be known of a program before it runs.
#pragma once

#include "native/nxrun/options.hpp"

namespace parley::native {

// Finds the program as a shell would, makes its path whole, and settles whether it is a host program, which
// the marks say that libnx leaves in it. Throws BadRequest.
void take_program(Options& options);

} // namespace parley::native

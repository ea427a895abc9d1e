// SPDX-License-Identifier: MIT
// Finds out about a program what can be known before it runs.
#pragma once

#include "native/nxrun/options.hpp"

namespace parley::native {

// Finds the program as a shell would, makes its path whole, and decides whether it is a host program, by the
// marks that libnx leaves in it. Throws BadRequest.
void take_program(NxrunOptions& options);

} // namespace parley::native

// SPDX-License-Identifier: MIT
// The library's semaphores, as ranks and nxrun call them.
#pragma once

#include "native/interface/job_semaphores.h"

namespace parley::library {

extern const parley_native_semaphores semaphores;

} // namespace parley::library

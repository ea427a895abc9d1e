// SPDX-License-Identifier: MIT
// What nxrun does with ranks as processes of Linux.
#pragma once

#include <sys/types.h>

namespace parley::native {

// Returns when the child has stopped and will not go on before SIGCONT; false: it has ended instead.
bool stop(pid_t child);

} // namespace parley::native

// SPDX-License-Identifier: MIT
// Describes what a rank is doing that waits for nobody.
#pragma once

#include "native/nxrun/source_names.hpp"

#include <string>
#include <sys/types.h>

namespace parley::native {

// "was computing in spin, loop.c:6 (at 0x401136)", "was in the Linux call nanosleep". The process is stopped
// while it is looked at. Where Linux does not tell, the answer is "was computing".
std::string describe_activity(pid_t process, SourceNames& names);

} // namespace parley::native

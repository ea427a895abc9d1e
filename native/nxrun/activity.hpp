// SPDX-License-Identifier: MIT
// What a rank is doing that waits for nobody.
#pragma once

#include "native/nxrun/source_names.hpp"

#include <string>
#include <sys/types.h>

namespace parley::native {

// "was computing in spin, loop.c:6 (at 0x401136)", "was in the Linux call nanosleep". The process is stopped
// for as long as that is looked at. Linux may not tell, and then it is "was computing".
std::string describe_activity(pid_t process, SourceNames& names);

} // namespace parley::native

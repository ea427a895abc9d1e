// SPDX-License-Identifier: MIT
#include "native/nxrun/processes.hpp"

#include <csignal>
#include <sys/wait.h>

namespace parley::native {

bool stop(pid_t child)
{
    siginfo_t info{};
    return kill(child, SIGSTOP) == 0 &&
           waitid(P_PID, static_cast<id_t>(child), &info, WSTOPPED | WEXITED | WNOWAIT) == 0 &&
           info.si_code == CLD_STOPPED;
}

} // namespace parley::native

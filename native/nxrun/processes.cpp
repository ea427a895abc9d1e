// SPDX-License-Identifier: MIT
#include "native/nxrun/processes.hpp"

#include <csignal>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

void end_with(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent) // it ended before the line above
        _exit(1);
}

bool stop(pid_t child)
{
    siginfo_t info{};
    return kill(child, SIGSTOP) == 0 &&
           waitid(P_PID, static_cast<id_t>(child), &info, WSTOPPED | WEXITED | WNOWAIT) == 0 &&
           info.si_code == CLD_STOPPED;
}

bool is_stopped(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')'); // a name may have any characters
    const char state =
        name_end == std::string::npos || name_end + 2 >= line.size() ? '?' : line[name_end + 2];
    return state == 'T' || state == 't';
}

void lead_group(pid_t rank) { setpgid(rank, rank); }

void end_group(pid_t rank)
{
    kill(-rank, SIGKILL);
    kill(rank, SIGKILL); // if it leads none
}

void continue_group(pid_t rank)
{
    kill(-rank, SIGCONT);
    kill(rank, SIGCONT);
}

int exit_status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::string name_of_signal(int status)
{
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
}

std::string no_more_processes(int error)
{
    return std::string("Linux starts no more processes (") + std::strerror(error) +
           "): take fewer nodes, or raise ulimit -u.";
}

} // namespace parley::native

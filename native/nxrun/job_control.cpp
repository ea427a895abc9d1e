// SPDX-License-Identifier: MIT
#include "native/nxrun/job_control.hpp"

#include "native/nxrun/processes.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

// Which signal has stopped a process; 0: it is not stopped.
int stopped_by(pid_t process)
{
    siginfo_t info{};
    const int looked = waitid(P_PID, static_cast<id_t>(process), &info, WSTOPPED | WNOHANG | WNOWAIT);
    return looked == 0 && info.si_pid != 0 ? info.si_status : 0;
}

} // namespace

void JobControl::suspend()
{
    terminal_.take_back();
    for (const Place& place : places_)
        if (place.process > 0)
            kill(-place.process, SIGSTOP);
    raise(SIGSTOP);
}

JobControl::Wish JobControl::attend()
{
    for (const Place& place : places_) {
        const int signal = place.process > 0 ? stopped_by(place.process) : 0;
        if (signal == SIGTSTP && terminal_.is_lent_to(place.process)) {
            terminal_.take_back();
            kill(0, SIGTSTP); // as if the terminal had sent it here
        } else if (signal == SIGTTIN || signal == SIGTTOU) {
            if (terminal_.lend(place.process))
                continue_group(place.process);
            else if (Terminal::is_shared_out())
                return {true, {}}; // and when it goes on, the rank asks again
            else
                return {false, places_.name_of(place) +
                                   " wants the terminal, which belongs to another program: start nxrun in "
                                   "the foreground, or with its input from a file (< /dev/null)"};
        }
    }
    return {};
}

bool JobControl::ended(const Place& place, int status)
{
    if (!terminal_.is_lent_to(place.process))
        return false;
    terminal_.take_back();
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGINT)
        return false;
    kill(0, SIGINT); // whoever has started nxrun would have had it from the terminal
    return true;
}

} // namespace parley::native

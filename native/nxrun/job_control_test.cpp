// SPDX-License-Identifier: MIT
// Without a terminal: who has one is tried by whole jobs (native/tests).
#include "native/nxrun/job_control.hpp"

#include "testing/catch.hpp"

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace parley;
using namespace parley::native;

namespace {

// What the act writes, in a session without a terminal. `leads`: nxrun is the first process of the session,
// so that no shell can give it a terminal later on.
template <class Act>
std::string in_session(bool leads, Act act)
{
    int answer[2]{};
    REQUIRE(pipe(answer) == 0);
    const pid_t session = fork();
    if (session == 0) {
        setsid();
        pid_t nxrun = 0;
        if (!leads && (nxrun = fork()) != 0) { // this one is the shell
            waitpid(nxrun, nullptr, 0);
            _exit(0);
        }
        setpgid(0, 0);
        const std::string text = act();
        (void)!write(answer[1], text.data(), text.size());
        _exit(0);
    }
    close(answer[1]);
    std::string all;
    char piece[512];
    for (ssize_t count = 0; (count = read(answer[0], piece, sizeof piece)) > 0;)
        all.append(piece, static_cast<std::size_t>(count));
    close(answer[0]);
    waitpid(session, nullptr, 0);
    return all;
}

// What the job is to do when a rank has been stopped by this signal, as Linux stops one that wants the
// terminal; and whether its end is then the user's.
std::string wish_when_stopped_by(int signal)
{
    Places places{{.nodes = 2}, 0};
    JobControl control(places);
    const pid_t rank = fork();
    if (rank == 0) {
        setpgid(0, 0);
        alarm(60); // whatever becomes of the test
        if (signal != SIGSTOP)
            std::signal(signal, SIG_DFL);
        raise(signal);
        for (;;)
            pause();
    }
    setpgid(rank, rank);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(rank), &info, WSTOPPED | WNOWAIT);
    places[1].process = rank;
    const JobControl::Wish wish = control.attend();
    const bool was_the_users = control.ended(places[1], SIGINT);
    kill(rank, SIGKILL);
    waitpid(rank, nullptr, 0);
    return std::string(wish.pause             ? "pause"
                       : wish.refused.empty() ? "nothing"
                                              : wish.refused) +
           (was_the_users ? ", the user's" : "");
}

} // namespace

TEST_CASE("a rank that wants a terminal that its job can never get ends the job with a sentence")
{
    const int signal = GENERATE(SIGTTIN, SIGTTOU);
    CHECK(in_session(true, [=] {
              return wish_when_stopped_by(signal);
          }).starts_with("node 1 wants the terminal, which belongs to another program: "));
}

TEST_CASE("a rank that wants the terminal of a job in the background waits, with the job, for the foreground")
{
    CHECK(in_session(false, [] { return wish_when_stopped_by(SIGTTIN); }) == "pause");
}

TEST_CASE("a rank that is stopped otherwise, or ends without the terminal, is nobody's wish")
{
    CHECK(in_session(true, [] { return wish_when_stopped_by(SIGSTOP); }) == "nothing");
}

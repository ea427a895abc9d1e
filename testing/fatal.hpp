// SPDX-License-Identifier: MIT
// Whether an act ends the process that does it, as an assertion that does not hold does in checked builds.
#pragma once

#include "testing/catch.hpp"

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::testing {

// Tries the act in a process of its own. False: the act has returned. Any end but by a trap fails the test.
template <class Act>
bool is_fatal(Act act)
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        for (const int number : {SIGILL, SIGTRAP, SIGABRT, SIGSEGV})
            std::signal(number, SIG_DFL); // not Catch's, which would report a failed test
        const rlimit no_dump{};
        setrlimit(RLIMIT_CORE, &no_dump);
        act();
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return false;
    CHECK(WIFSIGNALED(status));
    CHECK((WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP));
    return true;
}

} // namespace parley::testing

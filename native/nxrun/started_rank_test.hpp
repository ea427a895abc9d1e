// SPDX-License-Identifier: MIT
// A job of two ranks in a test of what starts them: the rank of node 1, whose program is the shell's, the
// socket on which it tells nxrun of itself, and what it prints.
#pragma once

#include "native/nxrun/fake_semaphores_test.hpp"
#include "native/nxrun/shared_job_memory.hpp"
#include "testing/catch.hpp"

#include <cstddef>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

struct StartedRank {
    static constexpr unsigned nodes = 2;

    NxrunOptions options;
    Places places{{.nodes = nodes}, 0};
    DesignChoice design{{}, "exp6", "", true};
    parley_library library{};
    RankSemaphores semaphores{{"kernel", "kernel", {}}, nodes, fake_library(library)};
    SharedJobMemory memory{options, design, semaphores, places, {{0}, false, nodes}, {1000, 0}, library};
    int to_nxrun[2]{}, printed[2]{};
    pid_t process = 0;
    int status = 0; // with which it has ended

    StartedRank()
    {
        REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, to_nxrun) == 0);
        REQUIRE(pipe2(printed, O_CLOEXEC) == 0);
    }
    ~StartedRank()
    {
        for (const int file : {to_nxrun[0], to_nxrun[1], printed[0], printed[1]})
            close(file);
    }

    // It has ended well, and had said before its program began that it had begun.
    void check_begun() const
    {
        CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
        parley_native_request told{};
        REQUIRE(recv(to_nxrun[0], &told, sizeof told, MSG_DONTWAIT) ==
                static_cast<ssize_t>(offsetof(parley_native_request, payload)));
        CHECK(told.method == PARLEY_NATIVE_BEGUN);
        CHECK(memory.place(1).process == process);
    }
};

} // namespace parley::native

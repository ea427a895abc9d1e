// SPDX-License-Identifier: MIT
// A place of the job: the process of the rank that runs in it, if one does, and the connections to it. The
// roster says which program that is (jobs/roster.hpp).
#pragma once

#include "native/interface/native_job.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace parley::native {

// `delivery`: a delivery process. `network`: the helper of a job on several machines, which has the network.
// `policy`: a policy process of the job's semaphores, which has no endpoint.
enum class Role { program, host, delivery, network, policy };

// Whether programs of users run there.
constexpr bool is_for_programs(Role role) { return role == Role::program || role == Role::host; }

// Stands for the number of a process that runs on another machine.
inline constexpr pid_t elsewhere = -1;

// A request that is answered when others have ended.
struct Asked {
    unsigned number;
    long keep; // to kill others: what waits for them is for their successors
};

// A rank that has been asked to end (departures.hpp).
struct EndRequest {
    double began = 0;             // its processor time then, in seconds
    unsigned looks_held_back = 0; // in a row, at which it held the signal back
    bool harmless = false;        // ended outside the message library
};

struct Place {
    unsigned endpoint = 0; // or, of a policy process, a number behind them
    int node = 0;
    unsigned machine = 0; // the number of the machine that starts it
    Role role = Role::program;
    std::vector<std::string> command; // of the program that is placed or runs
    bool begun = false;               // its process ends with nxrun, even while it is stopped
    std::string fault;                // the fault that has ended it, in words; empty: none
    pid_t process = 0;                // 0: none runs; `elsewhere`: another machine has it
    int socket = -1;                  // to the rank
    int output = -1;                  // where its output comes from, when lines are tagged
    std::string line;                 // of that, not whole yet
    std::optional<Asked> asked;
    std::optional<EndRequest> end_request;
};

} // namespace parley::native

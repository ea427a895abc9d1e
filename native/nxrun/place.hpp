// SPDX-License-Identifier: MIT
// A place of the job, by endpoint: the rank that runs in it, if one does, and what nxrun owes it.
#pragma once

#include "native/interface/native_job.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace parley::native {

// It runs no program; it has one that may not start yet; it runs one; that has ended, and nobody has waited
// for its end.
enum class Standing { empty, placed, running, ended };

enum class Role { program, host, helper };

// Instead of Linux's number of a process.
inline constexpr pid_t elsewhere = -1;

// Which places a call means: -1 stands for all nodes, or all pids of a node.
struct Chosen {
    long node;
    long pid;
};

// A call that is answered when others have ended.
struct Waiting {
    enum class For { all, one, killed };
    For what;
    unsigned number; // of the request
    Chosen chosen;
    long keep; // of those killed: what waits for them is for their successors
};

// A rank that has been asked to end (departures.hpp).
struct Departure {
    double began = 0;             // its processor time then, in seconds
    unsigned looks_held_back = 0; // in a row, at which it held the signal back
    bool harmless = false;        // ended outside the message library
};

struct Place {
    unsigned endpoint = 0;
    int node = 0;
    int pid = 0;          // what it is known as
    unsigned machine = 0; // which starts it
    Role role = Role::program;
    Standing standing = Standing::empty;
    bool removed = false;             // its own job ends the program that it runs
    bool successor_receives = false;  // it ends itself so: its messages are for the next program
    std::vector<std::string> command; // of the program that is placed or runs
    int exit_status = 0;              // of the one that has ended
    bool begun = false;               // it ends with nxrun, even where it is stopped
    std::string fault;                // that has ended it, in words; empty: none
    pid_t process = 0;                // 0: none runs; `elsewhere`: another machine has it
    int socket = -1;                  // to the rank
    int output = -1;                  // where its output comes from, when lines are tagged
    std::string line;                 // of that, not whole yet
    std::optional<Waiting> waiting;
    std::optional<Departure> departure;
};

// "node 2", "node 2, process 1", "the host": as users know it.
std::string name_of(const Place& place);

} // namespace parley::native

// SPDX-License-Identifier: MIT
// Reads what the user asks nxrun for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace parley::native {

// Thrown for a request that cannot be met. The user gets the sentence, and status 2.
struct BadRequest {
    std::string sentence;
};

struct NxrunOptions {
    unsigned nodes = 0; // 0: as many as there are processors
    unsigned pids = 1;
    std::string design;               // empty: default_design()
    std::string semaphore = "kernel"; // what P and V are
    // The library with static dispatch, which knows some designs only. Unless it was asked for, the design
    // decides.
    std::optional<bool> statically;
    unsigned widest_move = 64; // bytes that one move of a copy has at most
    std::size_t budget = 0;    // bytes for messages, and as many for nx_alloc's blocks; 0: as is sensible
    double limit_seconds = 0;  // 0: none
    bool tagged = false;       // lines begin with the rank that wrote them
    bool pinned = true;        // each rank on a processor of its own, where there is one each and no OpenMP
    bool gang = false;         // takes turns with other jobs that do, on the processors that they share
    unsigned slice_milliseconds = 100; // of a turn
    bool hosted_known = false;
    bool hosted = false;            // the program is the job's host, and loads the nodes' programs
    std::vector<std::string> hosts; // of the machines to start on, or none: by mpirun, or on this one alone
    std::string mpi;                // whose mpirun starts them; empty: the first that there is
    std::string record;             // file for the run's record, or none
    std::string trace;              // file for everything that its ranks do with messages, or none
    std::string window;             // the part of it that a picture shows
    unsigned trace_records = 65536; // how many are kept of each process
    bool profiled = false;          // says where each process's time went
    bool tells_unreceived = false;  // says what the ranks have left
    std::vector<std::string> command;
    const char* command_word = nullptr; // where the command begins among the words that nxrun was given

    // The ranks write down what they do.
    bool watched() const { return !trace.empty() || profiled; }
    // The user asks what the run was like.
    bool tells_of_run() const { return watched() || !record.empty(); }
};

// Reads the words of the command line. Throws BadRequest. Help and version are printed here, and end nxrun.
NxrunOptions parse_options(int count, char** words);

} // namespace parley::native

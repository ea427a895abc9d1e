// SPDX-License-Identifier: MIT
// The record of a run: what was measured, and how the job and its ranks ended. Written as the runner of the
// kernel writes its own (docs/running.md), so that the same tools read both.
#pragma once

#include "interface/results.h"
#include "messaging/unreceived.hpp"
#include "native/nxrun/openmp_runtime.hpp"
#include "native/nxrun/trace_area.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::native {

enum class JobEnd { success, failed, deadlock, limit, interrupted };

struct Record {
    struct Row {
        int node;
        parley_row row;
    };
    struct Process {
        int node;
        int pid;
        int status;
        std::string reason;
    };
    // What a process has left.
    struct Left {
        int node;
        int pid;
        std::string name; // of the process
        messaging::Unreceived what;
    };

    JobEnd end = JobEnd::success;
    std::string sentence;
    std::string app;
    std::string design;
    std::string asked_design;
    std::string semaphore;
    std::string dispatch;
    std::optional<OpenMpRuntime> openmp; // of a program that has one, where somebody wants to know
    unsigned nodes = 0;
    unsigned pids = 1;
    bool host = false;
    unsigned processors = 0;
    double seconds = 0;
    unsigned long turns = 0;         // of a job that is gang scheduled
    std::vector<Row> rows;           // the first of them, by add()
    unsigned long rows_left_out = 0; // since then
    std::vector<Process> processes;
    std::vector<Left> unreceived;  // of those that have left something
    std::vector<RankTime> times;   // of a watched job
    unsigned long clock_hertz = 0; // of the times

    // A program may report for ever.
    static constexpr std::size_t most_rows = 65536;
    void add(const Row& row);

    int exit_status() const;
    // "ok", "deadlock", "limit" or "failed", as a kernel says of its jobs.
    const char* job_word() const;
};

// The record as JSON.
std::string text_of(const Record& record);
// The measurements as a table, on standard output.
void print(const Record& record);
// What the processes have left unreceived (nxrun --unreceived), as the runner of the kernel says it.
std::string unreceived_of(const Record& record);
// Where each process's time went (nxrun --profile), as the runner of the kernel prints it.
void print_times(const Record& record);

} // namespace parley::native

// SPDX-License-Identifier: MIT
// What a boot should do: the text of parley.conf (lines "key value", jobs begin with a line "job NAME"),
// overridden by the kernel's command line (key=value, for the whole boot and for the first job). Both come
// from outside; an error names its line (0: the command line), the word and the reason. Texts are views into
// the sources, which must outlive this.
#pragma once

#include "interface/limits.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace parley::kernel {

// counted: a second of the machine takes the host as long as it likes, and the time-stamp counter counts
// nanoseconds.
enum class Clock : std::uint8_t { free, counted };
enum class Checks : std::uint8_t { full, reduced };
// How gangs share processors: by_design takes shared or private from the job's design.
enum class GangPolicy : std::uint8_t { by_design, shared, private_queues, slots };
// automatic: as a gang when there are processors enough, timeshared otherwise.
enum class Schedule : std::uint8_t { automatic, gang, timeshared };
enum class JobOrder : std::uint8_t { sequential, together };

struct JobConfiguration {
    std::string_view name = "job";
    std::string_view design = "exp6";
    std::string_view app = "bin/ring"; // path in the archive
    std::string_view arguments;        // as written; see split_words()
    std::string_view semaphore;        // what kind of them it has; empty: the standard one
    std::string_view pages;            // where they lie, for a measuring kernel; its own words
    std::string_view loops;            // the leaves of its parallel loops; empty: as programs say
    std::string_view input = "input";  // path in the archive of node 0's standard input
    unsigned nodes = 2;
    unsigned pids = 1; // processes a node
    bool host = false; // the program is a host program: one process beside the nodes, which it loads
    bool tag = false;
    Schedule schedule = Schedule::automatic;
    unsigned limit_seconds = 0;     // 0: none
    std::uint64_t budget_bytes = 0; // 0: a quarter of the job's memory
    std::uint64_t memory_bytes = 0; // that it may hold; 0: an equal part of what others leave

    // Places for programs: on the nodes, and then the host's.
    unsigned programs() const { return nodes * pids + (host ? 1 : 0); }
};

// What a machine has of clusters of processors: the first so many processors are the first cluster, and so
// on; and each cluster's own memory, one after another, of which the last page is its concurrency bus.
struct ClusterTable {
    unsigned number = 0; // 0: the machine has no clusters
    unsigned processors = 0;
    std::uint64_t memory_start = 0;
    std::uint64_t memory_bytes = 0; // of each; 0: none has its own
};

// The machines that run the jobs together, and which of them this one is.
struct MachineTable {
    static constexpr unsigned most = 8;
    unsigned number = 1;
    unsigned here = 0;
};

struct ConfigurationError {
    unsigned line;
    std::string_view word;
    std::string_view sentence;
};

struct Configuration {
    static constexpr std::size_t max_jobs = PARLEY_MAX_JOBS;
    static constexpr std::size_t command_line_bytes = 2048;

    unsigned processors = 0; // 0: all there are
    Clock clock = Clock::free;
    Checks checks = Checks::full;
    bool pause = false;
    GangPolicy gang_policy = GangPolicy::by_design;
    JobOrder job_order = JobOrder::sequential;
    ClusterTable clusters;
    MachineTable machines;
    unsigned colours = 0;       // of the machine's page frames (FramePool::colour); 0: none
    std::string_view machine;   // what a measuring kernel is to make of the machine; its own words
    unsigned trace_records = 0; // that a traced kernel keeps of each processor
    bool table = false;         // what programs report is shown as a table after the run
    std::string_view plant;     // a lie to tell, for tests of the runner
    std::array<JobConfiguration, max_jobs> jobs;
    std::size_t job_count = 0;
    std::array<char, command_line_bytes> storage; // the command line's words without their quotes

    Configuration() = default;
    Configuration(const Configuration&) = delete; // words of the command line point into it

    std::span<const JobConfiguration> all_jobs() const { return {jobs.data(), job_count}; }
};

using Configured = std::expected<void, ConfigurationError>;

Configured read_configuration(Configuration& into, std::string_view text);
Configured apply_command_line(Configuration& into, std::string_view line);

// Splits as a shell does: at blanks, except inside double quotes; a backslash takes the next character as it
// is. The words go to `storage`, each followed by a NUL. The sentence says why it did not work.
std::expected<std::size_t, std::string_view> split_words(std::string_view text, std::span<char> storage,
                                                         std::span<std::string_view> words);

} // namespace parley::kernel

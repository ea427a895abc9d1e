// SPDX-License-Identifier: MIT
// A job on Linux: its memory, its places with the ranks in them, and what nxrun does for them until all have
// ended. nxrun stands where the kernel stands when a machine is booted, and is one thread: it sleeps until a
// rank asks for something, writes a line or ends, or a signal or the limit comes.
#pragma once

#include "kernel/interface/library.h"
#include "native/interface/native_job.h"
#include "native/nxrun/departures.hpp"
#include "native/nxrun/design_choice.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/place.hpp"
#include "native/nxrun/record.hpp"
#include "native/nxrun/semaphore_choice.hpp"
#include "native/nxrun/shared_file.hpp"
#include "native/nxrun/turns.hpp"
#include "native/nxrun/wait_watch.hpp"

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace parley::native {

class Job {
public:
    // Throws BadRequest. `library` is an open descriptor of the message library.
    Job(const Options& options, const DesignChoice& design, int library);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    // Starts the ranks and returns when all have ended.
    const Record& run();

private:
    enum class Source : std::uint32_t { signal, limit, tick, request, output, turn };

    // Making it.
    void make_places();
    void make_memory();
    void describe(const Place& place, parley_start& start) const;
    void watch(int descriptor, Source source, unsigned endpoint = 0) const;

    // Turns of a job that is gang scheduled; any other has one from start to end.
    void take_turn();
    void begin_turn();
    void halt();
    bool has_ranks_to_come() const { return !begun_ && !ending_; }
    std::vector<int> own_processors() const;

    // Ranks.
    void start_all();
    void start(Place& place);
    [[noreturn]] void become(const Place& place, pid_t nxrun, int socket, int output);
    void attend(Source source, unsigned endpoint);
    void take_signals();
    void collect_ended();
    void ended(Place& place, int status);
    void end(JobEnd how, const std::string& sentence);
    void look_around();
    void look_for_deadlock();
    void read_output(Place& place);
    void write_lines(Place& place, bool all);

    // Their requests.
    void serve(Place& place);
    void take(Place& place, const parley_native_request& request);
    void answer(Place& place, unsigned number, long value, unsigned long sender = 0);
    long load(const parley_native_request& request);
    void begin_waiting(Place& place, const Waiting& waiting);
    void look_after_waits();
    bool settle(Place& place);
    bool none_runs(Chosen chosen, const Place* except) const;
    std::vector<Place*> chosen_places(Chosen chosen, const Place* except = nullptr);
    long row_of(long pid) const;

    unsigned programs() const { return options_.nodes * options_.pids + (hosted_ ? 1 : 0); }

    const Options& options_;
    const DesignChoice& design_;
    const SemaphoreChoice semaphore_;
    const int library_file_;
    const parley_library* const library_;
    const bool hosted_;
    const unsigned helpers_;
    std::size_t system_bytes_ = 0;
    std::size_t budget_ = 0;
    std::deque<Place> places_;  // by endpoint: programs, then helpers
    std::vector<int> row_pids_; // the pid that load has given a row of places; -1: none of its own
    std::unique_ptr<SharedFile> area_;
    std::unique_ptr<SharedFile> arena_;
    std::unique_ptr<WaitWatch> waits_;
    std::unique_ptr<Departures> departures_;
    std::vector<int> processors_; // that this process may use
    unsigned long clock_hertz_ = 0;
    unsigned running_ = 0; // programs
    unsigned alive_ = 0;   // processes
    bool ending_ = false;
    bool begun_ = false;           // ranks have been started
    bool halted_ = false;          // they are stopped, and those that start are stopped as well
    std::unique_ptr<Turns> turns_; // null: it takes none
    int signals_ = -1;
    int limit_timer_ = -1;
    int tick_timer_ = -1;
    int events_ = -1;
    Record record_;
};

} // namespace parley::native

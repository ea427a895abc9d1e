// SPDX-License-Identifier: MIT
// A job on Linux: its memory, its places with the ranks in them, and what nxrun does for them until all have
// ended. nxrun stands where the kernel stands when a machine is booted, and is one thread: it sleeps until a
// rank asks for something, writes a line or ends, or a signal or the limit comes. Of a job on several
// machines the first one's nxrun has this job; the others' have the same places and do for the first what
// concerns their own ranks (job_machines.cpp).
#pragma once

#include "interface/library.h"
#include "native/interface/native_job.h"
#include "native/nxrun/answers_owed.hpp"
#include "native/nxrun/departures.hpp"
#include "native/nxrun/design_choice.hpp"
#include "native/nxrun/domain.hpp"
#include "native/nxrun/job_control.hpp"
#include "native/nxrun/job_trace.hpp"
#include "native/nxrun/last_reports.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/machines.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/quiet_waves.hpp"
#include "native/nxrun/record.hpp"
#include "native/nxrun/requests.hpp"
#include "native/nxrun/semaphore_choice.hpp"
#include "native/nxrun/shared_file.hpp"
#include "native/nxrun/source_names.hpp"
#include "native/nxrun/tagged_output.hpp"
#include "native/nxrun/trace_area.hpp"
#include "native/nxrun/trace_gathering.hpp"
#include "native/nxrun/turns.hpp"
#include "native/nxrun/verdict.hpp"
#include "native/nxrun/wait_watch.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace parley::native {

class Job : Requests::Machinery {
public:
    // Throws BadRequest. `library` is an open descriptor of the message library; `machines`: of which this is
    // one, or null.
    Job(const Options& options, const DesignChoice& design, int library, Machines* machines);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    // Starts the ranks and returns when all have ended.
    const Record& run();

    // What all have written down, once run() has returned, in a watched job. On the first machine.
    const JobTrace& trace() const { return *all_traces_; }

private:
    static constexpr const char* deadlocked = "The job deadlocked: every rank waits, so none can ever go on.";

    enum class Source : std::uint32_t { signal, limit, tick, request, output, turn, machines };

    // Making it.
    void make_memory();
    void describe(const Place& place, parley_start& start) const;
    void watch(int descriptor, Source source, unsigned endpoint = 0) const;

    // Turns of a job that is gang scheduled; any other has one from start to end.
    void take_turn();
    void begin_turn();
    void halt();
    void pause();
    void stop_rank(Place& place);
    bool has_ranks_to_come() const { return !begun_ && !ending_; }
    std::vector<int> own_processors() const;

    // Ranks.
    void start_all();
    bool start(Place& place) override;
    std::expected<pid_t, std::string> begin_process(const Place& place, int socket, int output);
    [[noreturn]] void become(const Place& place, pid_t nxrun, int socket, int output);
    bool has_input(const Place& place) const;
    int processor_of(const Place& place) const;
    void attend(Source source, unsigned endpoint);
    void attend_events();
    void take_signals();
    void interrupt();
    void collect_ended();
    void ended(Place& place, int status);
    void end(JobEnd how, const std::string& sentence, const std::string& report = {});
    void look_around();
    void look_for_deadlock();
    void kill_rank(Place& place, bool successor_receives) override;

    // Their requests.
    void serve(Place& place);
    void answer(Place& place, unsigned number, long value, unsigned long sender) override;

    // Other machines.
    jobs::Roster& roster() { return places_.roster(); }
    bool has_programs();
    void forget(const Place& place);
    bool is_first() const { return machines_ == nullptr || machines_->is_first(); }
    void join_machines();
    [[noreturn]] void become_network(Place& helper);
    void share_processors(const Machines::Crowd& crowd);
    bool is_crowded() const { return crowd_.processes > processors_.size(); }
    void hear_machines();
    void hear(unsigned machine, const Packet& packet);
    void start_elsewhere(Place& place);
    void obey_start(Place& place, const Packet& packet);
    void forward(Place& place, const parley_native_request& request, std::size_t bytes);
    void tell_then_answer(Place& place, Packet packet, unsigned number, long value, bool ends) override;
    void do_in_arena(const Packet& packet);
    void hear_done(long token);
    void account(Place& place, int status, const std::optional<std::string>& lost);
    void network_ended();
    void look_at_machines();
    Quiet quiet_here();
    void hear_quiet(unsigned machine, const QuietWaves::Words& answer);
    void end_with_reports(JobEnd how, const std::string& sentence);
    void hear_report(unsigned machine, const std::string& report);
    void end_reported();
    void finish_machines();
    bool has_gathered();
    void send_written(std::uint64_t from);
    void hear_written(unsigned machine, const Packet& packet);
    void put_traces_together();
    void collect_unreceived();
    void tell_unreceived();
    void hear_unreceived(const Packet& packet);

    const Options& options_;
    const DesignChoice& design_;
    const SemaphoreChoice semaphore_;
    const int library_file_;
    const parley_library* const library_;
    const bool hosted_;
    const unsigned helpers_;
    Machines* const machines_;
    const messaging::Layout layout_;
    std::size_t system_bytes_ = 0;
    std::size_t budget_ = 0;
    Places places_;
    JobControl control_;
    TaggedOutput output_{STDOUT_FILENO};
    std::unique_ptr<SharedFile> area_;
    std::unique_ptr<SharedFile> arena_;
    std::unique_ptr<Domain> domain_; // of all ranks; null: each has its own
    std::unique_ptr<TraceArea> trace_;
    std::unique_ptr<WaitWatch> waits_;
    std::unique_ptr<Requests> requests_;
    std::unique_ptr<Departures> departures_;
    std::vector<int> processors_; // that this process may use
    unsigned long clock_hertz_ = 0;
    unsigned long clock_start_ = cycles();
    unsigned alive_ = 0; // processes
    bool ending_ = false;
    bool begun_ = false;           // ranks have been started
    bool halted_ = false;          // they are stopped, and those that start are stopped as well
    std::unique_ptr<Turns> turns_; // null: it takes none
    int signals_ = -1;
    int limit_timer_ = -1;
    int tick_timer_ = -1;
    int events_ = -1;
    Record record_;
    Verdict verdict_;
    SourceNames names_;

    AnswersOwed owed_;
    QuietWaves waves_;
    std::optional<LastReports> last_reports_;
    std::vector<std::byte> own_trace_;        // packed for the first machine
    std::optional<TraceGathering> gathering_; // of the others' traces, on the first
    std::optional<JobTrace> all_traces_;
    std::map<unsigned, messaging::Unreceived> unreceived_elsewhere_; // by endpoint; on the first
    Machines::Crowd crowd_{};
    parley_process* library_self_ = nullptr; // our own place in the message system, to act in it
    bool finishing_ = false;
};

} // namespace parley::native

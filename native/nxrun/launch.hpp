// SPDX-License-Identifier: MIT
// Launches a job on Linux and stays until it is over. nxrun stands where the kernel stands when a machine is
// booted: Launch makes the job's parts and is their event loop, one thread that sleeps until a rank asks for
// something, prints or ends, another machine sends a packet, a turn begins or ends, or a signal or the limit
// comes. The part whose event it is decides what happens then.
#pragma once

#include "interface/library.h"
#include "native/nxrun/arena_messages.hpp"
#include "native/nxrun/connection.hpp"
#include "native/nxrun/departures.hpp"
#include "native/nxrun/design_choice.hpp"
#include "native/nxrun/events.hpp"
#include "native/nxrun/federation.hpp"
#include "native/nxrun/job_control.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/rank_schedule.hpp"
#include "native/nxrun/rank_semaphores.hpp"
#include "native/nxrun/ranks.hpp"
#include "native/nxrun/shared_job_memory.hpp"
#include "native/nxrun/trace_collection.hpp"
#include "native/nxrun/world.hpp"

#include <csignal>
#include <memory>

namespace parley::native {

class Launch : Ranks::Listener {
public:
    // `library`: an open descriptor of the message library. `connection`: to the other machines of the world.
    // Throws BadRequest.
    Launch(const NxrunOptions& options, const DesignChoice& design, int library, const World& world,
           Connection& connection);
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    // Starts the ranks and returns when all have ended. Throws BadRequest.
    const Record& run();

    // What all have written down in a watched job, once run() has returned. Asked on the first machine.
    const JobTrace& trace() const { return traces_.trace(); }
    // Why some of what ranks have printed is lost, once run() has returned: an error number, or 0.
    int output_failure() const { return output_.failure(); }

private:
    bool is_first() const { return layout_.here == 0; }
    void join_machines();
    int timer(const itimerspec& when, EventSource source) const;

    void attend_events();
    void attend(EventSource source, unsigned endpoint);
    void take_signals();
    void interrupt();
    void collect_ended();
    void ended(Place& place, int status, const rusage& used);
    std::optional<std::string> lost_in_p(const Place& place) const;
    void reach_limit();
    void attend_tick();
    void receive_packets();
    void asked(Place& place, const parley_native_request& request) override
    {
        federation_->asked(place, request);
    }

    const NxrunOptions& options_;
    const JobClock clock_;
    const Spread layout_;
    const parley_library& library_;
    Connection& connection_;
    Record record_;
    SourceNames names_;
    RankSemaphores semaphores_;
    Places places_;
    ProcessorShare processors_;
    SharedJobMemory memory_;
    const sigset_t signals_; // that nxrun reads from a descriptor
    const std::unique_ptr<RankStarter> starter_;
    Events events_;
    RankOutput output_;
    const Departures departures_;
    Ranks ranks_;
    const WaitWatch waits_;
    ArenaMessages messages_;
    TraceCollection traces_;
    const std::unique_ptr<Federation> federation_;
    JobControl control_;
    RankSchedule schedule_;
    int signal_file_ = -1;
    int limit_timer_ = -1;
    int look_timer_ = -1;
};

} // namespace parley::native

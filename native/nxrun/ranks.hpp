// SPDX-License-Identifier: MIT
// The processes of this machine's ranks. Starts them in their places, stops and continues them, has them end,
// hands on what they ask, and clears a place whose process has ended.
// Invariant: a place of this machine has a process, a socket and, where lines are tagged, an output exactly
// from start() until ended(); alive() counts such places. While ranks are halted, every process is stopped.
#pragma once

#include "native/nxrun/departures.hpp"
#include "native/nxrun/events.hpp"
#include "native/nxrun/local_ranks.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/processor_share.hpp"
#include "native/nxrun/rank_output.hpp"
#include "native/nxrun/rank_starter.hpp"
#include "native/nxrun/source_names.hpp"
#include "native/nxrun/trace_area.hpp"

#include <optional>
#include <string>
#include <sys/resource.h>

namespace parley::native {

class Ranks final : public LocalRanks {
public:
    class Listener {
    public:
        // A rank asks for something. `request.bytes` is what has come of its payload.
        virtual void asked(Place& place, const parley_native_request& request) = 0;

    protected:
        ~Listener() = default;
    };

    // What ranks are made of and with; all of it outlives them.
    struct Parts {
        Places& places;
        parley_native_place* shared; // of each endpoint, in the job area
        TraceArea& trace;
        const ProcessorShare& processors;
        RankStarter& starter;
        RankOutput& output;
        const Departures& departures;
        const Events& events;
        SourceNames& names;
        Listener& listener;
    };
    explicit Ranks(const Parts& parts) : in_(parts) { }

    std::expected<void, std::string> start(Place& place) override;
    void kill(Place& place, bool successor_receives) override;
    void end(Place& place) override;
    void end_all() override;
    void answer(Place& place, unsigned number, long value, unsigned long sender) override;

    // A process that its caller has started runs in that place.
    void adopt(Place& place, pid_t process);
    unsigned alive() const { return alive_; }

    // All ranks stop, and so does any that starts from now on, until go_on().
    void halt();
    void go_on();
    bool are_halted() const { return halted_; }

    // Takes what the rank there has asked.
    void serve(Place& place);
    // The process of that place has ended so (wait(2)), after it has used so much: the place has none any
    // more, and what the rank has asked and printed before has been taken. Answers a sentence about what
    // others may have lost by that.
    std::optional<std::string> ended(Place& place, int status, const rusage& used, unsigned long clock_hertz);
    // Looks after those that were killed and have not left yet. Called five times a second. Answers a
    // sentence about what others may have lost by one that does not leave.
    std::optional<std::string> look_after_departures();

private:
    void stop_rank(Place& place);
    std::optional<std::string> sentence_of(const Place& place, const std::optional<std::string>& lost) const;

    const Parts in_;
    unsigned alive_ = 0; // processes
    bool halted_ = false;
};

} // namespace parley::native

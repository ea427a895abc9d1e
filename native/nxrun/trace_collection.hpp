// SPDX-License-Identifier: MIT
// Brings together what was written down on all machines of a watched job. On the first machine a
// TraceCollection asks the others for it when all ranks have ended, so that nobody is left whom that could
// disturb; on each other one a TraceSender answers. A job that nobody watches has nothing to bring together.
#pragma once

#include "native/network/clock_reading.hpp"
#include "native/nxrun/job_trace.hpp"
#include "native/nxrun/packet.hpp"
#include "native/nxrun/shared_job_memory.hpp"
#include "native/nxrun/trace_gathering.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace parley::native {

class TraceCollection {
public:
    // What was read of the clock of each other machine, by its number, once all ranks have ended.
    using Readings = std::function<ClockReadings(unsigned machine)>;

    // `looks`: it is over after so many in a row without an answer.
    TraceCollection(const TraceArea& area, const JobClock& clock, unsigned machines, unsigned looks,
                    Post& post, Readings readings)
        : area_(area), clock_(clock), machines_(machines), looks_(looks), post_(post),
          readings_(std::move(readings))
    {
    }

    // Whether all has come that will; asks for it when it is called for the first time. All ranks have ended.
    bool is_complete();
    // Takes an answer.
    void receive(unsigned machine, const Packet& packet);
    // Called now and then while it is not complete. True: there is no more time, and it is complete now.
    bool look() { return gathering_ && gathering_->look(); }

    // Puts all parts together, by the first machine's clock. Answers where the time of each process went.
    std::vector<RankTime> put_together();
    // The parts of all machines of a watched job, once they have been put together.
    const JobTrace& trace() const { return *trace_; }

private:
    bool is_watched() const { return area_.endpoints() != 0; }

    const TraceArea& area_;
    const JobClock clock_;
    const unsigned machines_;
    const unsigned looks_;
    Post& post_;
    const Readings readings_;
    std::optional<TraceGathering> gathering_; // once it has asked
    std::optional<JobTrace> trace_;
};

class TraceSender {
public:
    TraceSender(const TraceArea& area, const JobClock& clock) : area_(area), clock_(clock) { }

    // The answer to a packet of the kind collect: bytes from `from` on. All ranks have ended.
    Packet piece(std::uint64_t from);

private:
    const TraceArea& area_;
    const JobClock clock_;
    std::vector<std::byte> packed_; // once it was asked
};

} // namespace parley::native

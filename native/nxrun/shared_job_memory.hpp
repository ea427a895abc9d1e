// SPDX-License-Identifier: MIT
// The memory of a job on this machine, which all its processes map at the same addresses: the job area
// (native/interface/native_job.h), in which each place finds its start information and behind which the
// semaphores lie, and the arena, which has the message system, the budget and, in a watched job, the trace.
// Invariant: all of it is described before the first process begins; afterwards nxrun writes here only what
// native_job.h says that it writes.
#pragma once

#include "interface/library.h"
#include "native/interface/native_job.h"
#include "native/nxrun/design_choice.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/processor_share.hpp"
#include "native/nxrun/rank_semaphores.hpp"
#include "native/nxrun/shared_file.hpp"
#include "native/nxrun/trace_area.hpp"

#include <string>
#include <sys/types.h>

namespace parley::native {

// The time-stamp counter: its frequency, and what it said when the job began.
struct JobClock {
    unsigned long hertz;
    unsigned long start;
};

class SharedJobMemory {
public:
    // The semaphores lie in it. `library` is mapped where it is in every process. Throws BadRequest.
    SharedJobMemory(const NxrunOptions& options, const DesignChoice& design, RankSemaphores& semaphores,
                    const Places& places, const ProcessorShare& processors, const JobClock& clock,
                    const parley_library& library);

    parley_native_job& job() const { return *reinterpret_cast<parley_native_job*>(area_.memory()); }
    parley_native_place& place(unsigned endpoint) const { return job().places[endpoint]; }
    const SharedFile& area() const { return area_; }
    const SharedFile& arena() const { return arena_; }
    TraceArea& trace() { return trace_; }

    // For a rank's environment (interface/trace.h), while the process `nxrun` has this memory; empty: nobody
    // watches.
    std::string trace_variable(unsigned endpoint, pid_t nxrun) const;

    // How many processes share each processor, where that is known only when machines have met; 0: each has
    // its own.
    void share_processors(unsigned sharers) const;

private:
    // Where the parts lie, in bytes from the arena's start.
    struct Parts {
        std::size_t system, budget;
        std::size_t all() const { return PARLEY_REGION_HEADER_BYTES + system + budget; }
    };
    static Parts parts_of(const NxrunOptions& options, std::size_t endpoints);

    const Parts parts_;
    TraceArea trace_;
    const SharedFile area_;
    const SharedFile arena_;
};

} // namespace parley::native

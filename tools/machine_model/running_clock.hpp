// SPDX-License-Identifier: MIT
// The clock of the processor that runs.
#pragma once

#include "tools/machine_model/time.hpp"

#include <atomic>

namespace parley::machine_model {

// The clock of the processor that runs, and where it stops for others. Translated code adds to the time, a
// plain word, which is that processor's alone; the rest is read and changed by all threads.
struct RunningClock {
    static constexpr unsigned nobody = ~0U; // is the processor that runs, where none does

    Picoseconds now = 0;
    std::atomic<Picoseconds> limit{0};
    std::atomic<unsigned> processor{nobody};

    // Whether that processor goes no further, because another runs or it has come to its limit. Called in
    // its own thread.
    bool stops(unsigned own) const
    {
        return processor.load(std::memory_order_relaxed) != own ||
               now >= limit.load(std::memory_order_relaxed);
    }
};

} // namespace parley::machine_model

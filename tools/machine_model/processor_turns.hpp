// SPDX-License-Identifier: MIT
// Turns of processors each of which has a thread of its own: one runs at a time, in the order of their
// clocks.
#pragma once

#include "tools/machine_model/processor_order.hpp"
#include "tools/machine_model/running_clock.hpp"

#include <cstdint>
#include <deque>
#include <mutex>
#include <semaphore.h>
#include <vector>

namespace parley::machine_model {

// Who runs alone adds to the running clock, and calls pass_on() or halt() when that has reached its limit. A
// processor that was halted comes back at any time, in its own thread: who runs then stops before its next
// block, and gives it its turn. The order and the running clock are changed by nobody else, the clock but for
// what who runs adds to it.
class ProcessorTurns {
public:
    // All are halted, and nobody runs. `switches` becomes how often a turn began.
    ProcessorTurns(ProcessorOrder& order, RunningClock& running, std::uint64_t& switches);

    // All go on at `at`; `last` has the last place in the first round.
    void begin(unsigned last, Picoseconds at);
    bool runs(unsigned processor) const;
    // Returns in that processor's turn.
    void wait(unsigned processor);
    // Called by who runs: the processor whose turn it is goes on. Returns in the caller's next turn.
    void pass_on(unsigned processor);
    // Called by who runs, which then calls come_back() or nothing.
    void halt(unsigned processor);
    // Called by a processor that was halted. It goes on no earlier than who runs when that stops; returns in
    // its turn.
    void come_back(unsigned processor);
    // Who runs stops before its next block. Answers where it would have stopped, for go_on_until().
    Picoseconds stop_soon();
    // As before that, unless somebody has come back meanwhile.
    void go_on_until(Picoseconds limit);

private:
    static constexpr unsigned nobody = ~0U;

    void choose(unsigned processor);
    void wake_all();

    std::mutex mutex_; // of all below, the order, and the running clock but for its time
    ProcessorOrder& order_;
    RunningClock& running_;
    std::vector<unsigned> back_; // who has come back, and has no place in the order yet
    std::uint64_t& switches_;
    std::deque<sem_t> turns_; // one for each processor
};

} // namespace parley::machine_model

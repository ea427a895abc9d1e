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

// The processor that runs adds its time to the running clock without a lock, and calls pass_on() or halt()
// when the clock has reached its limit. A processor that was halted comes back at any time, in its own
// thread; then the one that runs stops before its next block and gives it its turn. All else of the order and
// of the running clock is changed in these functions alone, under the mutex.
class ProcessorTurns {
public:
    // All are halted, and nobody runs. `switches` becomes how often a turn began.
    ProcessorTurns(ProcessorOrder& order, RunningClock& running, std::uint64_t& switches);

    // All go on at `at`; `last` has the last place in the first round.
    void begin(unsigned last, Picoseconds at);
    // Whether it is that processor's turn. Called in its own thread, which alone ends its turn.
    bool runs(unsigned processor) const;
    // Returns in that processor's turn.
    void wait(unsigned processor);
    // Called by the processor that runs: the one whose turn it is goes on. Returns in the caller's next turn.
    void pass_on(unsigned processor);
    // Called by the processor that runs, which calls nothing but come_back() afterwards.
    void halt(unsigned processor);
    // Called by a processor that was halted. Its clock goes on no earlier than that of the one that runs,
    // when that one stops. Returns in its turn.
    void come_back(unsigned processor);
    // Has the processor that runs stop before its next block. Answers the limit that it had, for
    // go_on_until(), which gives it that limit again unless another processor has come back meanwhile.
    Picoseconds stop_soon();
    void go_on_until(Picoseconds limit);

private:
    void choose(unsigned processor);
    void wake_all();

    std::mutex mutex_; // guards all below, the order, and the running clock but for its time
    ProcessorOrder& order_;
    RunningClock& running_;
    std::vector<unsigned> back_; // processors that have come back and have no place in the order yet
    std::uint64_t& switches_;
    std::deque<sem_t> turns_; // one for each processor
};

} // namespace parley::machine_model

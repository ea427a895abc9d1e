// SPDX-License-Identifier: MIT
// Which processor runs next: each has a clock, and the one whose clock is least goes first.
#pragma once

#include "tools/machine_model/time.hpp"

#include <optional>
#include <vector>

namespace parley::machine_model {

// The clocks of a machine's processors. One of them runs at a time, in the order of their clocks, and may run
// ahead of the least other clock by the lookahead. A halted processor has no place in the order until it is
// woken. The caller runs the processors and says what becomes of their clocks; one thread alone uses this.
class ProcessorOrder {
public:
    // All clocks are 0, and every processor is halted.
    ProcessorOrder(unsigned processors, Picoseconds lookahead);

    unsigned processors() const { return static_cast<unsigned>(clocks_.size()); }
    Picoseconds clock(unsigned processor) const { return clocks_[processor].now; }
    // How much of its clock's time the processor was halted.
    Picoseconds asleep(unsigned processor) const { return clocks_[processor].asleep; }
    bool is_halted(unsigned processor) const { return clocks_[processor].halted; }

    // Sets the processor's clock to what it shows after the processor has run; never less than before.
    void advance(unsigned processor, Picoseconds to);
    void halt(unsigned processor) { clocks_[processor].halted = true; }
    // A halted processor goes on, at `at` or at its own clock if that is later; another is left alone.
    void wake(unsigned processor, Picoseconds at);

    // The processor to run after `last` stopped: of those whose clock is within the lookahead of the least,
    // the first in the order of numbers that begins after `last`. None: all are halted.
    std::optional<unsigned> next(unsigned last) const;
    // The least clock of all that are not halted, or `never`.
    Picoseconds least() const;
    // The clock at which `processor` has to stop for others: the least other clock and the lookahead. At
    // least one picosecond lies ahead of it, so that who is chosen always runs.
    Picoseconds limit(unsigned processor) const;

private:
    struct Clock {
        Picoseconds now = 0;
        Picoseconds asleep = 0;
        bool halted = true;
    };

    std::vector<Clock> clocks_;
    Picoseconds lookahead_;
};

} // namespace parley::machine_model

// SPDX-License-Identifier: MIT
// The turns of one job that is gang scheduled with others of its user (turn_keeper.hpp).
#pragma once

#include "native/nxrun/turn_keeper.hpp"

#include <memory>
#include <vector>

namespace parley::native {

class Turns {
public:
    // Wants turns for a job on these processors, from now on. Throws BadRequest.
    Turns(const std::vector<int>& processors, unsigned slice_milliseconds);
    ~Turns();
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    // Can be read when attend() has something to do.
    int descriptor() const { return events_; }

    enum class Change { none, go, halt };
    // What has come: the job's turn begins, or it is over, and then the job stops its ranks and calls
    // halted(). When the nxrun that kept the turns has ended, a turn is over as well, and another keeps them:
    // for a moment two jobs may run.
    Change attend();
    void halted();

    unsigned long begun() const { return begun_; }

private:
    void join();
    bool keep_turns();
    Change hear();

    TurnMessage wish_;
    const int events_;
    int connection_ = -1;
    std::unique_ptr<TurnKeeper> keeper_; // here, or null
    bool runs_ = false;
    unsigned long begun_ = 0;
};

} // namespace parley::native

// SPDX-License-Identifier: MIT
// Takes the turns of one job that is gang scheduled with others of its user (turn_keeper.hpp).
#pragma once

#include "native/nxrun/turn_order.hpp"

#include <sys/types.h>
#include <vector>

namespace parley::native {

class Turns {
public:
    // Asks for turns for a job on these processors. Throws BadRequest.
    Turns(const std::vector<int>& processors, unsigned slice_milliseconds);
    ~Turns();
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    // Can be read when attend() has something to do.
    int descriptor() const { return events_; }

    enum class Change { none, go, halt };
    // Reads what the keeper says: the job's turn begins (go), or it is over (halt), and then the job stops
    // its ranks and calls halted(). When the keeper has ended, a turn is over as well, and another process
    // keeps the turns: for a moment two jobs may run.
    Change attend();
    void halted();
    // Five times a second: continues a keeper that somebody has stopped while the job waits for a turn.
    void look_after_keeper() const;

    bool runs() const { return runs_; } // it is the job's turn
    unsigned long begun() const { return begun_; }

    // The keeper's process, for which nxrun is started anew under this name: its exit status.
    static constexpr const char* keepers_name = "nxrun-keeper";
    static int keep();

private:
    void join();
    static void start_keeper();

    TurnMessage wish_;
    const int events_;
    int connection_ = -1;
    pid_t keeper_ = 0;
    bool runs_ = false;
    unsigned long begun_ = 0;
};

} // namespace parley::native

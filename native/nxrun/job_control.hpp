// SPDX-License-Identifier: MIT
// What a user at a terminal does with a job, and what its ranks want of the terminal: Ctrl-Z and fg stop and
// continue nxrun with all its ranks, and a rank that reads gets the terminal.
#pragma once

#include "native/nxrun/places.hpp"
#include "native/nxrun/terminal.hpp"

#include <string>

namespace parley::native {

class JobControl {
public:
    explicit JobControl(Places& places) : places_(places) { }

    // All ranks are stopped: stops what they have started, and nxrun. Returns when that has been continued.
    void suspend();
    // Some rank has stopped or ended: what the job is to do.
    struct Wish {
        bool pause;          // stop, until nxrun is in the foreground
        std::string refused; // end: what no rank can have, a sentence without its end
    };
    Wish attend();
    // A rank's process has ended so (wait(2)). True: the user has ended it, by the terminal that it had.
    bool ended(const Place& place, int status);

private:
    Places& places_;
    Terminal terminal_;
};

} // namespace parley::native

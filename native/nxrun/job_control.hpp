// SPDX-License-Identifier: MIT
// Lets a user at a terminal control a job: Ctrl-Z and fg stop and continue nxrun with all its ranks, and a
// rank that reads from the terminal gets it.
#pragma once

#include "native/nxrun/places.hpp"
#include "native/nxrun/terminal.hpp"

#include <string>

namespace parley::native {

class JobControl {
public:
    explicit JobControl(Places& places) : places_(places) { }

    // Stops what the ranks have started, and nxrun itself. The ranks have been stopped before. Returns when
    // nxrun has been continued.
    void suspend();
    struct Wish {
        bool pause; // the job is to stop until nxrun is in the foreground
        std::string
            refused; // the job is to end, because of this sentence, which lacks its full stop; or empty
    };
    // Some rank has stopped or ended. The result says what the job is to do.
    Wish attend();
    // A rank's process has ended with this status (wait(2)). True: the user has ended it by the terminal that
    // it had.
    bool ended(const Place& place, int status);

private:
    Places& places_;
    Terminal terminal_;
};

} // namespace parley::native

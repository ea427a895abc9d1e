// SPDX-License-Identifier: MIT
// The ranks of this machine, as a federation of machines has them started and ended (federation.hpp).
#pragma once

#include "native/nxrun/place.hpp"

#include <expected>
#include <string>

namespace parley::native {

class LocalRanks {
public:
    // Begins the program of that place, as the roster says already. Errors: a sentence; it has not begun.
    virtual std::expected<void, std::string> start(Place& place) = 0;
    // The job itself kills the rank that runs there, which leaves the message system whole to others.
    // `successor_receives`: what waits for it is for the next program in its place.
    virtual void kill(Place& place, bool successor_receives) = 0;
    // Ends the process that runs there where it stands, with all that it has started.
    virtual void end(Place& place) = 0;
    // Ends all processes in that way but the one that has the network, which is needed until all machines
    // have been told.
    virtual void end_all() = 0;
    // Answers a request of the rank there. A rank that has ended needs no answer.
    virtual void answer(Place& place, unsigned number, long value, unsigned long sender) = 0;

protected:
    ~LocalRanks() = default;
};

} // namespace parley::native

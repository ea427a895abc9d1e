// SPDX-License-Identifier: MIT
// The message system of this machine, as a federation of machines looks at it and has it changed
// (federation.hpp).
#pragma once

#include "base/result.hpp"
#include "jobs/deadlock_search.hpp"
#include "messaging/unreceived.hpp"
#include "native/nxrun/packet.hpp"

#include <string>

namespace parley::native {

class LocalMessages {
public:
    // Looks at all ranks of this machine now.
    virtual jobs::MachineState look() = 0;
    // Tells what this machine's ranks wait for, in whole lines.
    virtual std::string report() const = 0;
    // What the rank of an endpoint of this machine has left.
    virtual const messaging::Unreceived& unreceived(unsigned endpoint) const = 0;
    // Whether the endpoints of all programs were closed. On several machines nobody asks.
    virtual bool all_are_closed() const = 0;
    // Makes the change that a packet of the kind place, set_pid or reset tells of. Errors: those of the
    // library's reopen and set_pid (interface/library.h).
    virtual Result<void> change(const Packet& packet) = 0;

protected:
    ~LocalMessages() = default;
};

} // namespace parley::native

// SPDX-License-Identifier: MIT
// Factor "transport": who moves a message to its destination? Leaves say in `carriers` how many delivery
// processes a job needs besides its own processes; a carrier's endpoint index follows those of the job's
// processes.
#pragma once

namespace parley::messaging {

class Transport {
public:
    // The endpoint into whose port senders put messages for `destination`: asked once, when a system is made.
    virtual unsigned route(unsigned destination) const = 0;

protected:
    ~Transport() = default;
};

} // namespace parley::messaging

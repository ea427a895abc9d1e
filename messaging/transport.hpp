// SPDX-License-Identifier: MIT
// Factor "transport": who moves a message to its destination? Leaves say in `helpers` how many processes of
// their own a job must start for them; their endpoints follow those of the job's programs.
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

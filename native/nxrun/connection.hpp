// SPDX-License-Identifier: MIT
// The connection of this machine's nxrun to those of the job's other machines. Where there are none,
// NoConnection joins nobody and carries nothing.
#pragma once

#include "interface/library.h"
#include "native/network/clock_reading.hpp"
#include "native/nxrun/packet.hpp"
#include "native/nxrun/processor_share.hpp"
#include "native/nxrun/shared_job_memory.hpp"

#include <optional>
#include <sys/types.h>

namespace parley::native {

class Connection : public Post {
public:
    virtual ~Connection() = default;

    // Called before any rank begins: meets the other machines, and starts the process that has the network in
    // the place of that endpoint. Nothing: there are no others. Throws BadRequest where they do not fit
    // together.
    struct Joined {
        pid_t network;
        Crowd crowd; // on this machine's computer
    };
    virtual std::optional<Joined> join(unsigned endpoint, const SharedJobMemory& memory,
                                       const ProcessorShare& processors, const parley_library& library) = 0;
    // This descriptor can be read when a packet has come; once joined.
    virtual int descriptor() const = 0;
    // The next packet, if one has come, and which machine has sent it.
    virtual std::optional<Packet> receive(unsigned& machine) = 0;
    // What was read of a machine's clock beside the first one's; on the first, when the network has been
    // left.
    virtual ClockReadings clock(unsigned machine) const = 0;
};

class NoConnection final : public Connection {
public:
    std::optional<Joined> join(unsigned, const SharedJobMemory&, const ProcessorShare&,
                               const parley_library&) override
    {
        return {};
    }
    int descriptor() const override { return -1; }
    std::optional<Packet> receive(unsigned&) override { return {}; }
    ClockReadings clock(unsigned) const override { return {}; }
    void send(unsigned, const Packet&, std::uint32_t) override { }
    void finish() override { }
};

} // namespace parley::native

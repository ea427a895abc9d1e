// SPDX-License-Identifier: MIT
// What the helpers of one job tell each other over the links of their machines.
#pragma once

#include "base/result.hpp"
#include "kernel/network/frame.hpp"

#include "assertion.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::kernel {

enum class PacketKind : std::uint32_t {
    eager,     // a message that fits into one packet, whole
    announce,  // a longer one: its envelope. Its bytes stay with the sender's machine
    go,        // the receiving machine has memory for the bytes
    bytes,     // a piece of them
    gone,      // they never will come
    posted,    // the message is in its receiver's mailbox
    delivered, // it has been received; where somebody counts that
    over,      // no program of the job runs there any more, and all that they sent was posted
    pid,       // a program there has another pid
    noted,     // this machine knows it
    kill,      // a program is to end; told to all machines, whichever it lives on
    end,       // a program has ended there
    look,      // the first machine asks whether anybody there can go on (jobs/deadlock_search.hpp)
    looked     // what the helper there has found, when it had nothing to do
};

struct JobPacket {
    PacketOfJob of_job{}; // filled by who sends it
    PacketKind kind;
    std::uint32_t source = 0;      // endpoint
    std::uint32_t destination = 0; // endpoint
    std::uint32_t stamp = 0;       // the message's, to whoever watches
    std::uint32_t awaited = 0;     // 1: its delivery is told; of an end: its own job has ended the program
    std::uint32_t offset = 0;      // of a piece
    std::uint64_t contents = 0;    // the envelope's words
    std::uint64_t sender = 0;
    std::uint64_t message = 0; // as the sending machine knows it
    std::uint64_t arrival = 0; // as the receiving machine does

    std::size_t length() const { return contents >> 32; } // of the message
    // Whether it carries a message or says what becomes of one, and not a look for that.
    bool is_counted() const { return kind != PacketKind::look && kind != PacketKind::looked; }
};

// How many bytes follow a JobPacket at most.
inline constexpr std::size_t most_bytes_behind = longest_packet - sizeof(JobPacket);

// The links of one job. Its helper calls this.
class JobLinks {
public:
    // How many machines the job has, and the number of this one.
    virtual unsigned machines() const = 0;
    virtual unsigned here() const = 0;
    // Whether send() will be true of the next packet to that machine, whoever sends what before it.
    virtual bool has_room(unsigned machine) = 0;
    // Sends a packet of this job. False: there is no room; the helper has a turn when there may be.
    virtual bool send(unsigned machine, JobPacket packet, std::span<const std::byte> bytes = {}) = 0;
    // The helper has a turn at the next tick.
    virtual void look_at_tick() = 0;

    // Sends a packet where has_room() was true.
    void send_into_room(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes = {})
    {
        const bool is_sent = send(machine, packet, bytes);
        assert_that([&] { return is_sent; });
    }

protected:
    ~JobLinks() = default;
};

// Memory for the bytes of one long message, of which there is one at a time.
class LongMessageRoom {
public:
    // Answers memory for so many bytes, which stays as it is until the next call. Errors: no_memory.
    virtual Result<std::byte*> room(std::size_t bytes) = 0;

protected:
    ~LongMessageRoom() = default;
};

} // namespace parley::kernel

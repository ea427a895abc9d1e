// SPDX-License-Identifier: MIT
// One message on its way: the envelope, stamped by the system and never by the sender's program, and where
// the bytes are. A message belongs to exactly one party or list at a time; passing it through a port, a list
// under its lock or a pool's word is what orders the accesses of its plain members.
#pragma once

#include "messaging/atomic.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

struct Request;

// How programs name a process.
struct ProcessName {
    std::int32_t node;
    std::int32_t pid;

    long number() const // as replies tell it
    {
        return static_cast<long>(static_cast<std::uint32_t>(node)) | static_cast<long>(pid) << 32;
    }
};

struct Message {
    static constexpr std::size_t short_bytes = 100;

    Message* next;   // in a list
    std::byte* data; // the bytes: a system buffer, the space below, or a place in the shared region
    std::uint64_t length;
    Request* completion; // counts deliveries for a sender who wants to know; null when nobody does
    std::uint32_t type;
    std::uint32_t pool_bit;   // its place in the pool it returns to; 0: in none, but from the heap
    ProcessName from;         // the sender, as receivers know it
    std::uint8_t source;      // endpoint of the sender, whose pool it is
    std::uint8_t destination; // endpoint it is meant for
    std::uint8_t context;     // 0 the program's own, 1 the library's
    std::uint32_t stamp;      // traced builds: its number, to pair its send with its receive
    // a short message's bytes, and room for the delivery process's copy
    alignas(8) std::byte space[2 * short_bytes];

    bool data_is_inside() const { return data >= space && data < space + sizeof space; }
};

static_assert(sizeof(Message) == 256);

} // namespace parley::messaging

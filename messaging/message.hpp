// SPDX-License-Identifier: MIT
// One message on its way: its envelope, and where the bytes are. A message belongs to exactly one party or
// list at a time; passing it through a port, a list under its lock or a pool's word is what orders the
// accesses of its plain members. While it is in a port its envelope is there: what is written here is only
// then of worth when somebody needs it (unpack).
#pragma once

#include "messaging/atomic.hpp"
#include "messaging/envelope.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

struct Request;

struct alignas(64) Message : Envelope {
    static constexpr std::size_t short_bytes = 100;

    Message* next;             // in a list
    std::byte* data;           // the bytes: a system buffer, the space below, or a place in the shared region
    Request* completion;       // counts deliveries for a sender who wants to know; null when nobody does
    std::uint32_t stamp;       // traced builds: its number, to pair its send with its receive
    std::uint8_t place;        // in its sender's pool, to which it returns; 0: in none, but from the heap
    std::uint16_t destination; // endpoint it is meant for, where a carrier or a negotiation wants to know
    // a short message's bytes, and room for the delivery process's copy
    alignas(8) std::byte space[2 * short_bytes];

    void write(const Envelope& envelope) { static_cast<Envelope&>(*this) = envelope; }
    // It has come out of a port, and goes where it is looked at.
    void unpack(const Envelope& envelope)
    {
        write(envelope);
        if (envelope.home() != 0)
            completion = nullptr;
    }

    bool data_is_inside() const { return data >= space && data < space + sizeof space; }
};

static_assert(sizeof(Message) == 256);

} // namespace parley::messaging

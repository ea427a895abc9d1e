// SPDX-License-Identifier: MIT
// NX/2 message types and type selectors. Only the low 32 bits of a selector count: old programs pass
// 0x80000007 where a long is wanted.
#pragma once

#include "interface/senders.h"
#include "messaging/message/envelope.hpp"

#include <cstdint>

namespace parley::messaging {

inline constexpr std::uint32_t first_force_type = 0x40000000;

constexpr bool is_usual_type(long type) { return type >= 0 && type <= 999'999'999; }

constexpr bool is_valid_type(long type)
{
    if (is_usual_type(type))
        return true;
    return type >= first_force_type && type <= 1'999'999'999;
}

// Which messages a receive takes: those of some types from some senders (interface/senders.h).
struct Selector {
    std::int32_t types = -1; // a type, -1 for any but force types, or a mask when the sign bit is set
    std::uint64_t from = 0;
    std::uint64_t mask = PARLEY_SENDER_CONTEXT;

    // The senders as a WaitedPeer: what is not asked for is all ones.
    constexpr std::int32_t peer() const
    {
        return static_cast<std::int32_t>((from | ~mask) & (PARLEY_SENDER_NODE | PARLEY_SENDER_CONTEXT));
    }

    bool takes(const Envelope& envelope) const
    {
        return envelope.is_from(from, mask) && takes_type(envelope.type());
    }

    // Whether it takes this message, and by the very number of its type.
    bool names(const Envelope& envelope) const
    {
        return envelope.is_from(from, mask) && envelope.type() == static_cast<std::uint32_t>(types);
    }

    constexpr bool takes_type(std::uint32_t type) const
    {
        return type == static_cast<std::uint32_t>(types) || takes_among_others(type);
    }

private:
    constexpr bool takes_among_others(std::uint32_t type) const
    {
        if (types >= 0)
            return false;
        if (type >= first_force_type)
            return false; // a force message needs the receive that names it
        if (types == -1)
            return true;
        const std::uint32_t bit = type < 30 ? type : 30; // bit 30 stands for all types from 30 on
        return ((static_cast<std::uint32_t>(types) >> bit) & 1) != 0;
    }
};

} // namespace parley::messaging

// SPDX-License-Identifier: MIT
// Active Messages between processes of a job that the explorer runs. Each is known by a number, which all of
// its words have: an even one is a request, an odd one a reply.
#pragma once

#include "interface/active_messages.h"
#include "interface/message_calls.h"
#include "testing/calling_process.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::testing {

inline constexpr long active_types = 2; // request, reply
// The pages that a job's queues of Active Messages and its buffers have room in (ExploredJob::Plan).
inline constexpr std::size_t pages_with_active_queues = 128;

inline bool is_answer(long answer, Error error) { return answer == -static_cast<long>(error); }

// The way to a node's queue of a type, which a message is sent by; below 1: an error.
inline long find_active(CallingProcess& peer, long type, int node)
{
    static const unsigned long context = parley_address(0, PARLEY_CONTEXT_ACTIVE);
    const long way = peer.calls().find_active(peer.calls().self, type, node, context);
    peer.expect(way > 0, "there is a way to another process");
    return way;
}

// Answers what the call does.
inline long send_active(CallingProcess& peer, long way, std::uint64_t number)
{
    constexpr std::uint64_t bytes = 24;
    std::array<std::uint64_t, PARLEY_ACTIVE_BYTES / sizeof(std::uint64_t)> packet;
    packet.fill(number);
    return peer.calls().send_active(peer.calls().self, static_cast<unsigned long>(way),
                                    number % active_types | bytes << 32,
                                    reinterpret_cast<std::uintptr_t>(packet.data()));
}

// What a process has taken, as a set of numbers below 16.
class TakenMessages {
public:
    // False: there is none, or the process must end.
    bool take(CallingProcess& peer)
    {
        std::array<std::uint64_t, PARLEY_ACTIVE_BYTES / sizeof(std::uint64_t)> packet{};
        const parley_calls& calls = peer.calls();
        const long contents = calls
                                  .take_active(calls.self, PARLEY_TAKES_AND_GOES_ON,
                                               reinterpret_cast<std::uintptr_t>(packet.data()))
                                  .contents;
        if (is_answer(contents, Error::would_block) || is_answer(contents, Error::killed))
            return false;
        const std::uint64_t number = packet[0];
        peer.expect(contents >= 0 && number < 16 && (numbers_ >> number & 1) == 0,
                    "each Active Message is taken once");
        peer.expect(packet[1] == number && packet[2] == number &&
                        static_cast<std::uint32_t>(contents) == number % active_types,
                    "an Active Message is whole");
        numbers_ |= 1u << (number & 15);
        return true;
    }
    bool has(unsigned numbers) const { return (numbers_ & numbers) == numbers; }

private:
    unsigned numbers_ = 0;
};

} // namespace parley::testing

// SPDX-License-Identifier: MIT
// What the nxruns of a job's machines tell each other, and how it gets from one to another. Packets between
// two machines keep their order, so what a machine has been told before it is asked is seen in its answer.
#pragma once

#include "native/network/control.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace parley::native {

// `endpoint`: the place that a packet is about.
struct Packet {
    enum class Kind : std::uint32_t {
        // From the first machine's nxrun to others.
        start,   // a program begins. words: pid; text: the words of the command, a zero after each
        kill,    // the program ends. words: whether its successor receives what waits for it
        place,   // another program will begin there. words: pid, number of places, unused, token
        set_pid, // words: pid, the pid before, unused, token
        reset,   // the programs of some places have been killed. words: node, pid, keep, token
        answer,  // to a rank's request. words: number, value, sender
        look,    // asks what a look at the machine finds. words: wave
        tell,    // asks what its ranks wait for
        collect, // asks what its ranks, which have all ended, have written down. words: from which byte on
        end,     // all its ranks end
        over,    // the job is over everywhere
        // From the others to the first: answers, and what happens there.
        request, // text: the parley_native_request of a rank
        ended,   // a program. words: status, as of waitpid; text: the fault that has ended it
        failed,  // the job must end. words: JobEnd; text: sentence
        looked,  // words: as DeadlockSearch::answer() has them
        told,    // text: one line a rank
        written, // words: from which byte on, of how many; text: these
        left,    // what a program has left. text: the bytes of a messaging::Unreceived
        done,    // what had a token. words: token, error or 0
    };
    Kind kind;
    std::uint32_t endpoint = 0;
    std::array<std::int64_t, 5> words{};
    std::string text{};
};

struct PacketHead {
    ControlHead control;
    Packet::Kind kind;
    std::uint32_t endpoint;
    std::array<std::int64_t, 5> words;
};

// The text of a packet may be so long; what is longer is cut off.
inline constexpr std::size_t longest_text = longest_control - sizeof(PacketHead);

// Carries packets to the other machines.
class Post {
public:
    // Sends to another machine's nxrun. The messages that the process of the endpoint `after` has sent cross
    // before it.
    virtual void send(unsigned machine, const Packet& packet, std::uint32_t after = ControlHead::none) = 0;
    // Nothing is sent any more: the network is left when all that was sent before has crossed.
    virtual void finish() = 0;

protected:
    ~Post() = default;
};

} // namespace parley::native

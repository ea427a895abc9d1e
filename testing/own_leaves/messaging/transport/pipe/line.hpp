// SPDX-License-Identifier: MIT
// One direction of the pipe: a line that loses some packets, carries some twice and some late, as its seed
// says. What becomes of a packet depends on how many went before it and on nothing else.
//
// Beside the packets both ends see whose turn it is, as on a polled line: who has sent a burst asks, and who
// has taken what came of it answers, also when nothing came. That says nothing of what was lost, but nobody
// has to guess by a clock when it is time to send again.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::messaging {
class Message;
} // namespace parley::messaging

namespace parley::messaging::pipe {

struct PipePacket {
    std::uint64_t number = 0;   // of its message in this direction, from 1 on; 0: there is none
    std::uint64_t received = 0; // acknowledgement: its sender has all that the other end sent up to this
    Message* message = nullptr;
};

// How many of a hundred packets each fault meets.
struct PipeFaults {
    std::uint64_t seed = 0;
    std::uint64_t lost = 0;
    std::uint64_t repeated = 0;
    std::uint64_t late = 0;
};

class PipeLine {
public:
    // `number`: two lines of the same seed are different.
    PipeLine(const PipeFaults& faults, std::uint64_t number)
        : faults_(faults), luck_(faults.seed * 2 + number)
    {
    }

    // The sending end's own to call. A late packet comes after the next one that is sent.
    void send(const PipePacket& packet)
    {
        const bool frees_late = has_late_;
        const PipePacket late = late_;
        has_late_ = false;
        const std::uint64_t drawn = draw() % 100;
        if (drawn < faults_.lost) {
            // gone
        } else if (drawn < faults_.lost + faults_.repeated) {
            carry(packet);
            carry(packet);
        } else if (drawn < faults_.lost + faults_.repeated + faults_.late) {
            has_late_ = true;
            late_ = packet;
        } else {
            carry(packet);
        }
        if (frees_late)
            carry(late);
    }
    // What has been sent so far asks for an answer. Release pairs with asked().
    void ask() { asked_.store(asked_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
    std::uint32_t bursts() const { return asked_.load(std::memory_order_relaxed); }
    // Acquire pairs with answer(): what the answer brought on the other line is seen with it.
    std::uint32_t answered() const { return answered_.load(std::memory_order_acquire); }

    // The receiving end's own to call. False: nothing is there.
    bool take(PipePacket& packet)
    {
        const std::uint32_t at = taken_.load(std::memory_order_relaxed);
        if (at == carried_.load(std::memory_order_acquire)) // pairs with carry()
            return false;
        packet = inside_[at % capacity];
        taken_.store(at + 1, std::memory_order_release); // pairs with carry()
        return true;
    }
    // Acquire pairs with ask(): what a burst has brought is seen with it.
    std::uint32_t asked() const { return asked_.load(std::memory_order_acquire); }
    // So many bursts have been answered.
    void answer(std::uint32_t bursts) { answered_.store(bursts, std::memory_order_release); }

private:
    static constexpr std::uint32_t capacity = 32;

    // What the line has no room for is lost as well.
    void carry(const PipePacket& packet)
    {
        const std::uint32_t at = carried_.load(std::memory_order_relaxed);
        if (at - taken_.load(std::memory_order_acquire) == capacity)
            return;
        inside_[at % capacity] = packet;
        carried_.store(at + 1, std::memory_order_release);
    }

    // SplitMix64.
    std::uint64_t draw()
    {
        std::uint64_t value = luck_ += 0x9e37'79b9'7f4a'7c15;
        value = (value ^ value >> 30) * 0xbf58'476d'1ce4'e5b9;
        value = (value ^ value >> 27) * 0x94d0'49bb'1331'11eb;
        return value ^ value >> 31;
    }

    const PipeFaults faults_;
    std::uint64_t luck_;
    bool has_late_ = false;
    PipePacket late_;
    Atomic<std::uint32_t> carried_{0};
    Atomic<std::uint32_t> asked_{0};
    PipePacket inside_[capacity];
    alignas(64) Atomic<std::uint32_t> taken_{0};
    Atomic<std::uint32_t> answered_{0};
};

} // namespace parley::messaging::pipe

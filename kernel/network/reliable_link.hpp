// SPDX-License-Identifier: MIT
// This machine's end of a link to one other machine: packets arrive there once, whole, and in order, over a
// wire that may lose, repeat and reorder frames. Each packet has a number; the other end tells with every
// frame which numbers have come and for how many more it has room, and what it has not told in time is sent
// again. A frame may have waited in the wire since before either machine was booted; so only what says that
// this boot has been heard is believed, and until then the ends tell each other which boots they are. The
// link knows neither devices nor processes: whoever owns it brings frames and the time, and calls it by one
// party at a time.
// Invariant: packets from `acknowledged_` to `next_` are in outgoing_; of those from `taken_` on, incoming_
// has what has come.
#pragma once

#include "kernel/network/frame.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::kernel {

class ReliableLink {
public:
    static constexpr unsigned window = 32; // packets on their way, each way

    // Nanoseconds.
    static constexpr std::uint64_t first_timeout = 20'000'000;    // until a packet is sent again, at first
    static constexpr std::uint64_t longest_timeout = 320'000'000; // after several times in vain
    static constexpr std::uint64_t sign_of_life = 100'000'000;    // between frames when nothing is to be said

    struct Ends {
        unsigned here; // numbers of machines
        unsigned there;
        std::uint32_t kernel; // of this machine: FrameHead
        std::uint32_t boot;
    };
    ReliableLink(Wire& wire, const Ends& ends) : wire_(wire), ends_(ends) { }
    ReliableLink(const ReliableLink&) = delete;

    // Sends `first` and then `rest` as one packet of at most longest_packet bytes. False: so many are on
    // their way that this one has to wait; nothing has changed.
    bool send(std::span<const std::byte> first, std::span<const std::byte> rest, std::uint64_t now);
    // Whether send() would be true.
    bool has_room() const
    {
        return next_ - acknowledged_ != window && static_cast<std::int32_t>(next_ - limit_) < 0;
    }
    // Whether the other end has got all that was sent.
    bool has_sent_all() const { return acknowledged_ == next_; }

    // How many packets have come and were not taken.
    unsigned packets() const { return expected_ - taken_; }
    bool has_packet() const { return packets() != 0; }
    // One of these, which exists, so many after the oldest. Valid until it is taken.
    std::span<const std::byte> packet(unsigned after) const;
    // Takes the oldest.
    void take(std::uint64_t now);

    // A frame has come whose head names these two machines and this kernel.
    void arrive(const FrameHead& head, std::span<const std::byte> packet, std::uint64_t now);
    // All frames that had come have been brought: tells the other end what it has not been told.
    void answer(std::uint64_t now);
    // Called every few milliseconds: sends again what was not acknowledged, and a sign of life.
    void tick(std::uint64_t now);

    // When the other end, which has heard of this one, was last heard of, in nanoseconds; 0: never.
    std::uint64_t last_heard() const { return last_heard_; }
    // Whether the machine there has been booted again since: what it knew is gone.
    bool has_begun_anew() const { return has_begun_anew_; }

private:
    struct Outgoing {
        std::array<std::byte, longest_packet> bytes;
        std::uint16_t length;
        bool has_come;        // there
        bool was_hurried;     // sent again before its time, because later ones had come
        std::uint64_t due;    // when it is sent again
        std::uint64_t waited; // how long it was waited for
    };
    struct Incoming {
        std::array<std::byte, longest_packet> bytes;
        std::uint16_t length;
        bool is_here;
    };

    Outgoing& outgoing(std::uint32_t sequence) { return outgoing_[sequence % window]; }
    Incoming& incoming(std::uint32_t sequence) { return incoming_[sequence % window]; }
    const Incoming& incoming(std::uint32_t sequence) const { return incoming_[sequence % window]; }

    void transmit(std::uint32_t sequence, std::span<const std::byte> packet, std::uint64_t now);
    void transmit_again(std::uint32_t sequence, std::uint64_t now);
    void meet(std::uint64_t now);
    void keep(std::uint32_t sequence, std::span<const std::byte> packet);
    void note_acknowledged(const FrameHead& head, std::uint64_t now);

    Wire& wire_;
    const Ends ends_;
    std::uint32_t next_ = 0;         // the next packet's number
    std::uint32_t acknowledged_ = 0; // all before have come there
    std::uint32_t limit_ = window;   // the first one for which there is no room there
    std::uint32_t expected_ = 0;     // all before have come here
    std::uint32_t taken_ = 0;        // all before have been taken
    std::uint64_t last_sent_ = 0, last_heard_ = 0;
    std::uint32_t other_boot_ = 0; // until last_heard_ is not 0: that of the last frame
    bool owes_answer_ = false;
    bool has_begun_anew_ = false;
    std::array<Outgoing, window> outgoing_{};
    std::array<Incoming, window> incoming_{};
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What machines of a job send each other over their network cards: frames, each with at most one packet of a
// link (reliable_link.hpp). A frame may be lost, come twice or overtake others; one that was damaged, or is
// not ours, is known by its checksum.
#pragma once

#include "base/crc32.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace parley::kernel {

struct FrameHead {
    std::uint32_t checksum; // CRC-32 of all that follows
    std::uint32_t kernel;   // which kernel runs there, and what it was asked to do
    std::uint32_t boot;     // which boot of that machine; not 0
    std::uint32_t heard;    // of which boot of the other machine a frame has come there; 0: of none
    std::uint8_t from;      // machine
    std::uint8_t to;
    std::uint16_t length;   // of the packet behind this
    std::uint32_t sequence; // of that packet; without one, of the next
    std::uint32_t expected; // all packets before this one have come here
    std::uint32_t arrived;  // bit i: so has packet expected + 1 + i
    std::uint32_t limit;    // the first packet for which there is no room here yet
    std::uint32_t unused = 0;
};
static_assert(sizeof(FrameHead) % 8 == 0, "a packet begins at a multiple of 8");

// What a packet begins with: of which job it is.
struct PacketOfJob {
    std::uint32_t job; // number
    // How the job has ended on that machine: a JobStatus and 1; 0: the packet says something else.
    std::uint32_t end;
};

inline constexpr std::size_t longest_frame = 4064;
inline constexpr std::size_t longest_packet = longest_frame - sizeof(FrameHead);

inline std::uint32_t checksum_of(const FrameHead& head, std::span<const std::byte> packet)
{
    Crc32 sum;
    sum.add(std::as_bytes(std::span(&head, 1)).subspan(sizeof head.checksum));
    sum.add(packet);
    return sum.value();
}

// Reads a frame as it came. False: it is damaged, or none of ours. `packet` is a part of `bytes`.
inline bool read_frame(std::span<const std::byte> bytes, FrameHead& head, std::span<const std::byte>& packet)
{
    if (bytes.size() < sizeof head)
        return false;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.length > bytes.size() - sizeof head || head.length > longest_packet)
        return false;
    packet = bytes.subspan(sizeof head, head.length); // a card may have filled up a short frame
    return head.checksum == checksum_of(head, packet);
}

// Where frames go out.
class Wire {
public:
    // Sends a frame, or loses it: a full wire is nothing that anybody waits for.
    virtual void transmit(const FrameHead& head, std::span<const std::byte> packet) = 0;

protected:
    ~Wire() = default;
};

} // namespace parley::kernel

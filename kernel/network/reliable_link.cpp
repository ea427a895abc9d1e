// SPDX-License-Identifier: MIT
#include "kernel/network/reliable_link.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel {

namespace {

// Numbers go around.
bool is_before(std::uint32_t one, std::uint32_t other) { return static_cast<std::int32_t>(one - other) < 0; }

// Whether a packet is taken for lost, rather than overtaken: three later ones have come, whose bits these
// are.
bool is_passed_by_three(std::uint32_t later)
{
    later &= later - 1;
    later &= later - 1;
    return later != 0;
}

} // namespace

bool ReliableLink::send(std::span<const std::byte> first, std::span<const std::byte> rest, std::uint64_t now)
{
    if (!has_room())
        return false;
    Outgoing& out = outgoing(next_);
    out.length = static_cast<std::uint16_t>(first.size() + rest.size());
    std::memcpy(out.bytes.data(), first.data(), first.size());
    if (!rest.empty())
        std::memcpy(out.bytes.data() + first.size(), rest.data(), rest.size());
    out.has_come = out.was_hurried = false;
    out.waited = first_timeout;
    out.due = now + first_timeout;
    const std::uint32_t sequence = next_++;
    transmit(sequence, std::span(out.bytes).first(out.length), now);
    return true;
}

void ReliableLink::transmit(std::uint32_t sequence, std::span<const std::byte> packet, std::uint64_t now)
{
    FrameHead head{.checksum = 0,
                   .kernel = ends_.kernel,
                   .boot = ends_.boot,
                   .heard = other_boot_,
                   .from = static_cast<std::uint8_t>(ends_.here),
                   .to = static_cast<std::uint8_t>(ends_.there),
                   .length = static_cast<std::uint16_t>(packet.size()),
                   .sequence = sequence,
                   .expected = expected_,
                   .arrived = 0,
                   .limit = taken_ + window};
    for (unsigned bit = 0; bit < window - 1; ++bit) {
        const std::uint32_t later = expected_ + 1 + bit;
        if (is_before(later, head.limit) && incoming(later).is_here)
            head.arrived |= std::uint32_t{1} << bit;
    }
    head.checksum = checksum_of(head, packet);
    last_sent_ = now;
    owes_answer_ = false;
    wire_.transmit(head, packet);
}

void ReliableLink::transmit_again(std::uint32_t sequence, std::uint64_t now)
{
    Outgoing& out = outgoing(sequence);
    out.waited = std::min(2 * out.waited, longest_timeout);
    out.due = now + out.waited;
    transmit(sequence, std::span(out.bytes).first(out.length), now);
}

std::span<const std::byte> ReliableLink::packet(unsigned after) const
{
    const Incoming& in = incoming(taken_ + after);
    return std::span(in.bytes).first(in.length);
}

void ReliableLink::take(std::uint64_t now)
{
    const bool was_full = expected_ - taken_ == window;
    incoming(taken_).is_here = false;
    ++taken_;
    if (was_full)
        transmit(next_, {}, now); // the other end may have been waiting for room
}

void ReliableLink::arrive(const FrameHead& head, std::span<const std::byte> packet, std::uint64_t now)
{
    const bool has_met = last_heard_ != 0;
    if (!has_met)
        other_boot_ = head.boot;
    if (head.heard != ends_.boot) { // it may be of an earlier boot, there or here
        owes_answer_ = owes_answer_ || !has_met;
        return;
    }
    if (head.boot != other_boot_) {
        has_begun_anew_ = true;
        return;
    }
    last_heard_ = now;
    if (!has_met)
        meet(now);
    note_acknowledged(head, now);
    if (packet.empty())
        return;
    owes_answer_ = true; // to one that came again, too: perhaps it was not heard that it had come
    keep(head.sequence, packet);
}

// What was sent before has not been taken there.
void ReliableLink::meet(std::uint64_t now)
{
    owes_answer_ = true;
    for (std::uint32_t sequence = acknowledged_; is_before(sequence, next_); ++sequence)
        transmit(sequence, std::span(outgoing(sequence).bytes).first(outgoing(sequence).length), now);
}

void ReliableLink::keep(std::uint32_t sequence, std::span<const std::byte> packet)
{
    if (is_before(sequence, expected_) || !is_before(sequence, taken_ + window))
        return;
    Incoming& in = incoming(sequence);
    if (in.is_here)
        return;
    std::memcpy(in.bytes.data(), packet.data(), packet.size());
    in.length = static_cast<std::uint16_t>(packet.size());
    in.is_here = true;
    while (is_before(expected_, taken_ + window) && incoming(expected_).is_here)
        ++expected_;
}

// A frame that was overtaken says less than is known: it takes nothing back.
void ReliableLink::note_acknowledged(const FrameHead& head, std::uint64_t now)
{
    if (is_before(next_, head.expected) || is_before(head.expected, acknowledged_))
        return;
    acknowledged_ = head.expected;
    if (is_before(limit_, head.limit))
        limit_ = head.limit;
    if (acknowledged_ == next_)
        return;
    for (unsigned bit = 0; bit < window - 1; ++bit) {
        const std::uint32_t later = head.expected + 1 + bit;
        if (is_before(later, next_) && (head.arrived >> bit & 1) != 0)
            outgoing(later).has_come = true;
    }
    for (std::uint32_t missing = acknowledged_; is_before(missing, next_); ++missing) {
        Outgoing& out = outgoing(missing);
        const unsigned passed = missing - acknowledged_; // bits of those up to this one
        const std::uint32_t after = passed < window - 1 ? head.arrived >> passed : 0;
        if (out.has_come || out.was_hurried || !is_passed_by_three(after))
            continue;
        out.was_hurried = true;
        transmit_again(missing, now);
    }
}

void ReliableLink::answer(std::uint64_t now)
{
    if (owes_answer_)
        transmit(next_, {}, now);
}

void ReliableLink::tick(std::uint64_t now)
{
    for (std::uint32_t sequence = acknowledged_; is_before(sequence, next_); ++sequence)
        if (const Outgoing& out = outgoing(sequence); !out.has_come && out.due <= now)
            transmit_again(sequence, now);
    if (now - last_sent_ >= sign_of_life)
        transmit(next_, {}, now);
}

} // namespace parley::kernel

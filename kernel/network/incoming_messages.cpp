// SPDX-License-Identifier: MIT
#include "kernel/network/incoming_messages.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel {

void IncomingMessages::take(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes)
{
    switch (packet.kind) {
    case PacketKind::eager:
    case PacketKind::announce: return keep(machine, packet, bytes);
    case PacketKind::bytes: return take_piece(packet, bytes);
    case PacketKind::gone: reinterpret_cast<Arrival*>(packet.arrival)->stage = Stage::gone; return;
    default: return;
    }
}

// There is a place for it: senders keep to their window.
void IncomingMessages::keep(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes)
{
    Arrival& arrival =
        *std::ranges::find_if(arrivals_, [](const Arrival& one) { return one.stage == Stage::none; });
    arrival.packet = packet;
    arrival.machine = machine;
    arrival.next = nullptr;
    arrival.stage = packet.kind == PacketKind::eager ? Stage::whole : Stage::announced;
    if (!bytes.empty())
        std::memcpy(arrival.bytes, bytes.data(), bytes.size());
    (last_ == nullptr ? first_ : last_->next) = &arrival;
    last_ = &arrival;
}

void IncomingMessages::take_piece(const JobPacket& packet, std::span<const std::byte> bytes)
{
    Arrival& arrival = *reinterpret_cast<Arrival*>(packet.arrival);
    std::memcpy(long_bytes_ + packet.offset, bytes.data(), bytes.size());
    if (packet.offset + bytes.size() == arrival.packet.length())
        arrival.stage = Stage::whole;
}

bool IncomingMessages::are_of(unsigned endpoint) const
{
    for (const Arrival* at = first_; at != nullptr; at = at->next)
        if (at->packet.source == endpoint)
            return true;
    return false;
}

bool IncomingMessages::advance()
{
    bool moved = false;
    budget_wish_.attempt(gateway_, [&] { return try_all(moved); });
    return moved;
}

// Whether one lacks memory.
bool IncomingMessages::try_all(bool& moved)
{
    bool wants = false;
    std::ranges::fill(held_up_, HeldUp{});
    Arrival* before = nullptr;
    for (Arrival* at = first_; at != nullptr;) {
        Arrival* const next = at->next;
        bool& is_held_up = held_up_[at->packet.source].is;
        const bool waits = at->stage == Stage::whole;
        const bool has_gone_on = !is_held_up && go_on(*at);
        moved = moved || has_gone_on;
        if (at->stage == Stage::none) {
            (before == nullptr ? first_ : before->next) = next;
            if (last_ == at)
                last_ = before;
        } else {
            is_held_up = is_held_up || at->stage != Stage::put;
            wants = wants || (waits && at->stage == Stage::whole);
            before = at;
        }
        at = next;
    }
    return wants;
}

// Whether it has gone on by at least one stage.
bool IncomingMessages::go_on(Arrival& arrival)
{
    bool moved = false;
    if (arrival.stage == Stage::announced && long_ == nullptr)
        moved = grant(arrival);
    if (arrival.stage == Stage::granted) {
        JobPacket go = arrival.packet;
        go.kind = PacketKind::go;
        go.arrival = reinterpret_cast<std::uint64_t>(&arrival);
        if (!links_.send(arrival.machine, go))
            return moved;
        arrival.stage = Stage::coming;
        moved = true;
    }
    if (arrival.stage == Stage::whole || arrival.stage == Stage::gone)
        moved = put(arrival) || moved;
    if (arrival.stage == Stage::put) {
        JobPacket posted = arrival.packet;
        posted.kind = PacketKind::posted;
        if (!links_.send(arrival.machine, posted))
            return moved;
        arrival.stage = Stage::none;
        moved = true;
    }
    return moved;
}

bool IncomingMessages::grant(Arrival& arrival)
{
    const Result<std::byte*> room = room_.room(arrival.packet.length());
    if (!room) {
        trouble_ = "there is no memory for a long message from another machine: give the job more "
                   "(JOB_MEMORY=, BUDGET=)";
        return false;
    }
    long_bytes_ = *room;
    long_ = &arrival;
    arrival.stage = Stage::granted;
    return true;
}

// False: there is no memory for it now.
bool IncomingMessages::put(Arrival& arrival)
{
    if (arrival.stage == Stage::whole && !put_into_mailbox(arrival))
        return false;
    if (long_ == &arrival)
        long_ = nullptr;
    arrival.stage = Stage::put;
    return true;
}

bool IncomingMessages::put_into_mailbox(Arrival& arrival)
{
    const JobPacket& packet = arrival.packet;
    Awaited* awaited = nullptr;
    if (packet.awaited != 0) {
        const auto free =
            std::ranges::find_if(awaited_, [](const Awaited& one) { return one.completion == nullptr; });
        if (free == awaited_.end())
            return false;
        const Result<messaging::Completion*> made = gateway_.new_completion();
        if (!made)
            return false;
        awaited = &*free;
        *awaited = {*made, arrival.machine, packet.message};
    }
    const std::byte* const bytes = long_ == &arrival ? long_bytes_ : arrival.bytes;
    const Result<void> put =
        gateway_.put(messaging::Envelope::of_words(packet.contents, packet.sender), packet.stamp,
                     packet.destination, bytes, awaited != nullptr ? awaited->completion : nullptr);
    if (put)
        return true;
    if (awaited != nullptr) {
        gateway_.free(*awaited->completion);
        *awaited = {};
    }
    if (put.error() != Error::no_memory)
        trouble_ =
            "a message from another machine is larger than all the memory for messages: give the job more "
            "(BUDGET=)";
    return false;
}

// The event moves with each delivery that is counted.
bool IncomingMessages::send_deliveries()
{
    bool moved = false;
    for (Awaited& one : awaited_) {
        if (one.completion == nullptr || !one.completion->is_reached())
            continue;
        if (!links_.send(one.machine, {.kind = PacketKind::delivered, .message = one.message}))
            break;
        gateway_.free(*one.completion);
        one = {};
        moved = true;
    }
    return moved;
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/network/outgoing_messages.hpp"

#include <algorithm>

namespace parley::kernel {

bool OutgoingMessages::take()
{
    bool any = false;
    for (; Message* const message = gateway_.next(); any = true) {
        stream(message->source(), spread_.machine_of(message->destination)).waiting.push_back(*message);
        ++waiting_;
    }
    return any;
}

bool OutgoingMessages::send()
{
    bool moved = false;
    for (unsigned source = 0; waiting_ > 0 && source < spread_.layout().programs(); ++source)
        for (unsigned machine = 0; machine < links_.machines(); ++machine)
            for (Stream& from = stream(source, machine);
                 !from.waiting.empty() && from.in_flight < window && send_first(machine, from);
                 moved = true) { }
    return moved;
}

bool OutgoingMessages::send_bytes()
{
    bool moved = false;
    for (unsigned machine = 0; machine < links_.machines(); ++machine)
        if (Granted& granted = granted_[machine];
            granted.message != nullptr && (long_ == nullptr || long_ == &granted))
            moved = send_pieces(machine, granted) || moved;
    return moved;
}

void OutgoingMessages::answered(unsigned machine, const JobPacket& packet)
{
    auto* const message = reinterpret_cast<Message*>(packet.message);
    switch (packet.kind) {
    case PacketKind::go: granted_[machine] = {.message = message, .arrival = packet.arrival}; return;
    case PacketKind::posted:
        --stream(packet.source, machine).in_flight;
        unfinished_ -= packet.awaited == 0 ? 1 : 0;
        return;
    case PacketKind::delivered:
        --unfinished_;
        gateway_.complete(*message);
        return;
    default: return;
    }
}

JobPacket OutgoingMessages::packet_of(PacketKind kind, const Message& message) const
{
    return {.kind = kind,
            .source = message.source(),
            .destination = message.destination,
            .stamp = message.stamp,
            .awaited = gateway_.is_awaited(message) ? 1u : 0u,
            .contents = message.contents(),
            .sender = message.sender(),
            .message = reinterpret_cast<std::uint64_t>(&message)};
}

// False: its bytes are not all there, or the link has no room; nothing has changed.
bool OutgoingMessages::send_first(unsigned machine, Stream& from)
{
    Message& message = *from.waiting.first();
    const std::size_t length = message.length();
    const bool is_long = length > most_bytes_behind;
    const JobPacket packet = packet_of(is_long ? PacketKind::announce : PacketKind::eager, message);
    if (!links_.has_room(machine))
        return false;
    Result<void> taken;
    if (!is_long && length != 0)
        taken = gateway_.take(message, short_bytes_);
    if (is_not_there_yet(taken))
        return false;
    from.waiting.pop_front();
    --waiting_;
    if (!taken) { // gone with its sender
        gateway_.complete(message);
        return true;
    }
    ++from.in_flight;
    ++unfinished_;
    links_.send_into_room(machine, packet, std::span(short_bytes_).first(is_long ? 0 : length));
    if (!is_long && packet.awaited == 0)
        gateway_.complete(message);
    return true;
}

// Whether a sender still brings the bytes: then the tick has us look again.
bool OutgoingMessages::is_not_there_yet(const Result<void>& taken)
{
    const bool is_not_there = !taken && taken.error() == Error::would_block;
    if (is_not_there)
        links_.look_at_tick();
    return is_not_there;
}

// The bytes are taken at once. False: they are not there yet, or there is no room for them.
bool OutgoingMessages::take_bytes(Granted& granted)
{
    const Result<std::byte*> room = room_.room(granted.message->length());
    if (!room) {
        trouble_ =
            "there is no memory for a long message to another machine: give the job more (JOB_MEMORY=)";
        return false;
    }
    const Result<void> taken = gateway_.take(*granted.message, *room);
    if (is_not_there_yet(taken))
        return false;
    granted.is_taken = true;
    granted.is_gone = !taken;
    long_ = &granted;
    long_bytes_ = *room;
    return true;
}

bool OutgoingMessages::send_pieces(unsigned machine, Granted& granted)
{
    Message& message = *granted.message;
    const std::size_t length = message.length();
    JobPacket packet = packet_of(PacketKind::bytes, message);
    packet.arrival = granted.arrival;
    if (!granted.is_taken && !take_bytes(granted))
        return false;
    bool moved = false;
    while (!granted.is_gone && granted.sent < length) {
        const std::size_t count = std::min(length - granted.sent, most_bytes_behind);
        packet.offset = static_cast<std::uint32_t>(granted.sent);
        if (!links_.send(machine, packet, {long_bytes_ + granted.sent, count}))
            return moved;
        granted.sent += count;
        moved = true;
    }
    packet.kind = PacketKind::gone;
    if (granted.is_gone && !links_.send(machine, packet))
        return moved;
    if (granted.is_gone && packet.awaited != 0)
        --unfinished_; // nobody will tell its delivery
    if (granted.is_gone || packet.awaited == 0)
        gateway_.complete(message);
    granted = {};
    long_ = nullptr;
    return true;
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// A port that is a queue of packets and blocks (packet_queue.hpp). How a sender claims its places there is a
// Claim, which the ports of this kind differ in. A Claim is made from the queue, PortParts and the port's
// values, and has
//   arguments, smallest                what such a port is told, and the least of that
//   bool is_made() const               false: the job's budget has no memory for it
//   optional<ClaimedPlaces> claim(unsigned caller, bool with_block)
//                                      S1, S2: the caller's places in the queue; none: they are not free, and
//                                      it has nothing that others wait for
//   void finish(unsigned caller, const ClaimedPlaces&)
//                                      S3 is done: its packet is filled, and its block; or the packet is
//                                      empty, as the queue was full or the bytes could not be read
//   bool is_lost(uint64_t number)      whether nobody will ever fill the free packet of that number, which
//                                      is taken next
//   bool may_be_lost() const           whether there may be such a packet
//   bool leave(unsigned caller)        as Port::leave(). The caller may have ended between claim() and
//                                      finish(), so claim() leaves a note of its places that this reads
#pragma once

#include "messaging/port/packet_queue.hpp"

#include <optional>
#include <string_view>

namespace parley::messaging {

template <class C>
class PacketPort : public Port {
public:
    using Claim = C;

    static constexpr const auto& arguments = Claim::arguments;
    static constexpr LeafValues smallest = Claim::smallest;
    static constexpr std::string_view row_beside = "native";

    PacketPort(const PortParts& parts, const LeafValues& values)
        : queue_(parts, values), claim_(queue_, parts, values)
    {
    }

    bool is_made() const { return queue_.is_made() && claim_.is_made(); }

    std::uint32_t room() const final { return PacketQueue::room; }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) final
    {
        const bool with_block = memory != nullptr && PacketQueue::is_long(envelope);
        const std::optional<ClaimedPlaces> places = claim_.claim(caller, with_block);
        if (places) [[likely]]
            if (publish(caller, *places, envelope, memory) == Put::in) [[likely]]
                return true;
        if (memory != nullptr)
            (void)memory->open(envelope);
        return false;
    }
    Put put_bytes(unsigned caller, Envelope envelope, const Source& source) final
    {
        return put_staged<PacketQueue::room>(*this, caller, envelope, source);
    }
    // Does the same with a source whose class is known.
    template <class S>
    Put put_bytes(unsigned caller, Envelope envelope, const S& source)
    {
        const std::optional<ClaimedPlaces> places = claim_.claim(caller, false);
        if (!places) [[unlikely]]
            return Put::full;
        const Put put = queue_.fill_whole(caller, places->packet, envelope, source);
        claim_.finish(caller, *places);
        return put;
    }

    Taken take(MailboxHeld held, unsigned looks) final
    {
        return queue_.take(held, looks, [this](std::uint64_t number) { return claim_.is_lost(number); });
    }
    Watched watched(MailboxHeld) const final { return queue_.watched(claim_.may_be_lost()); }
    Sight sight() const final { return queue_.sight(claim_.may_be_lost()); }
    Message* hold(MailboxHeld held, const Taken& taken) final { return queue_.hold(held, taken); }
    void release(const Taken& taken) final { queue_.release(taken); }
    bool leave(unsigned caller) final { return claim_.leave(caller); }

    // A put in its steps: the claim, and S3.
    Claim& claim() { return claim_; }
    Put publish(unsigned caller, const ClaimedPlaces& places, const Envelope& envelope, MessageMemory* memory)
    {
        const Put put = queue_.fill(caller, places, envelope, memory);
        claim_.finish(caller, places);
        return put;
    }

protected:
    ~PacketPort() = default;

private:
    PacketQueue queue_;
    Claim claim_; // in lines of its own
};

} // namespace parley::messaging

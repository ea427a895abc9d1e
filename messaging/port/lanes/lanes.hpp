// SPDX-License-Identifier: MIT
// A lane (lane.hpp) for each sender that uses one, made for its first message in the job's memory: senders
// never write the same line, and none waits until another has published. A word says where to look. Takers
// stay with the lane of the last message for some more messages, since its sender probably goes on, and then
// look at each other lane in turn: so nobody who sends is passed over for ever. Senders for whom there is no
// lane share a circular port, when the table or the job's memory is used up, and their messages have memory.
//
// A sender has a lane or shares from its first message on, so its messages stay in order. A sender that finds
// no slot in the table cannot be told from one that has not sent yet: from then on all newcomers share. A
// lane is given back when both its sender and the port's owner are no more, and no message is there or held
// in it; while the owner lives, a sender's successor at the same endpoint goes on in it.
#pragma once

#include "base/address.hpp"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/port/circular.hpp"
#include "messaging/port/lanes/lane.hpp"

#include <bit>
#include <new>
#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class LanesPort final : public Port {
public:
    static constexpr std::string_view name = "lanes";
    static constexpr std::string_view promise =
        "a ring for each sender, made on demand; up to 100 bytes cross in it; no order between senders";

    explicit LanesPort(const PortParts& parts) : memory_(parts.memory) { }

    std::uint32_t room() const override { return Message::short_bytes; }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        Lane* const lane = lane_of(caller);
        if (lane != nullptr && lane->put(envelope, memory)) [[likely]]
            return true;
        if (memory == nullptr)
            return false;
        if (lane == nullptr)
            return shared_.put(caller, envelope, memory);
        (void)memory->open(envelope);
        return false;
    }

    Put put_bytes(unsigned caller, Envelope envelope, const Source& source) override
    {
        return put_from(caller, envelope, source);
    }
    // Does the same with a source whose class is known.
    template <class S>
    Put put_bytes(unsigned caller, Envelope envelope, const S& source)
    {
        return put_from(caller, envelope, source);
    }

    Taken take(MailboxHeld held, unsigned looks) override
    {
        for (;;) {
            if (stay_ >= one_more) [[likely]]
                if (const Taken taken = current_lane().take(held)) [[likely]] {
                    stay_ -= one_more;
                    return taken;
                }
            if (const Taken taken = take_from_next(held))
                return taken;
            if (looks-- == 0)
                return {};
            platform::between_looks();
        }
    }

    Message* hold(MailboxHeld held, const Taken& taken) override { return &current_lane().hold(held, taken); }
    // The entry that was taken last stays as it is until the next one is taken.
    void release(const Taken& taken) override
    {
        if (taken.memory() == nullptr)
            return;
        Lane& lane = lane_around(*taken.memory());
        if (lane.give_back(*taken.memory()))
            free(lane);
    }

    bool leave(unsigned caller) override
    {
        for (std::uint64_t rest = lanes(); rest != 0; rest &= rest - 1) {
            Slot& slot = slots_[std::countr_zero(rest)];
            if (slot.owner.load(std::memory_order_relaxed) != owned_by(caller))
                continue;
            slot.lane.load(std::memory_order_relaxed)->leave();
            slot.owner.store(owned_by(caller) | has_left, std::memory_order_release); // pairs with clear()
            return true;
        }
        return false;
    }

    void clear(MailboxHeld held) override
    {
        for (std::uint64_t rest = lanes(); rest != 0; rest &= rest - 1) {
            Slot& slot = slots_[std::countr_zero(rest)];
            std::uint32_t owner = slot.owner.load(std::memory_order_acquire);
            // The sender's successor may take the lane over in this moment.
            if (owner != owned_by_nobody &&
                ((owner & has_left) == 0 ||
                 !slot.owner.compare_exchange_strong(owner, owned_by_nobody, std::memory_order_acq_rel)))
                continue;
            Lane& lane = *slot.lane.load(std::memory_order_relaxed);
            // The sender has put a message since the port was empty; whoever has ended the sender comes here
            // next.
            if (lane.has_more(held))
                continue;
            watched_.fetch_and(~(rest & -rest), std::memory_order_relaxed);
            slot.lane.store(nullptr, std::memory_order_relaxed);
            slot.owner.store(0, std::memory_order_release); // pairs with claim()
            stay_ = shared_slot;
            if (lane.let_go())
                free(lane);
        }
    }

private:
    // At most so many messages of one lane are taken before other lanes are looked at.
    static constexpr unsigned batch = Lane::capacity;
    // The slots of lanes, and behind them that of the port that the others share, in the order in which they
    // are looked at.
    static constexpr unsigned slots = 63, shared_slot = slots, one_more = slots + 1;
    static constexpr std::uint64_t shared_bit = std::uint64_t{1} << shared_slot;
    static constexpr std::size_t lane_bytes = std::bit_ceil(sizeof(Lane));

    // A sender's slot, which is the sender's own from its first message on.
    struct Slot {
        Atomic<std::uint32_t> owner{0}; // owned_by(), perhaps with has_left; 0: it is free
        Atomic<Lane*> lane{nullptr};    // null: its owner shares
    };
    static constexpr std::uint32_t has_left = 1u << 31, owned_by_nobody = has_left - 1;
    static std::uint32_t owned_by(unsigned caller) { return caller + 1; }

    template <class S>
    Put put_from(unsigned caller, const Envelope& envelope, const S& source)
    {
        Lane* const lane = lane_of(caller);
        if (lane == nullptr) [[unlikely]]
            return Put::full;
        return lane->put_bytes(envelope, source);
    }

    // The caller's lane, made if need be. Null: the caller shares.
    Lane* lane_of(unsigned caller)
    {
        const Slot& slot = slots_[caller % one_more];
        // Relaxed: the caller has written both, or a process before it at the same endpoint.
        if (slot.owner.load(std::memory_order_relaxed) == owned_by(caller)) [[likely]]
            return slot.lane.load(std::memory_order_relaxed);
        return find_or_make(caller);
    }
    // Looks at slots in the order in which the sender's first message has looked at them.
    [[gnu::noinline]] Lane* find_or_make(unsigned caller)
    {
        // Acquire pairs with share().
        const std::uint64_t sharers = sharers_.load(std::memory_order_acquire), used = lanes() | sharers;
        for (std::uint64_t rest = rotated(used & ~shared_bit, caller); rest != 0; rest &= rest - 1)
            if (Slot& slot = slots_[first_slot(rest, caller)]; is_owned_by(slot, caller))
                return slot.lane.load(std::memory_order_relaxed);
        if ((sharers & shared_bit) != 0)
            return nullptr;
        for (std::uint64_t rest = rotated(~used & ~shared_bit, caller); rest != 0; rest &= rest - 1)
            if (Slot& slot = slots_[first_slot(rest, caller)]; claim(slot, caller))
                return make_lane(slot);
        return share(shared_bit);
    }
    // Whether the slot is the caller's. A slot that an earlier process at this endpoint has left becomes
    // the caller's, unless clear() comes first.
    static bool is_owned_by(Slot& slot, unsigned caller)
    {
        std::uint32_t owner = slot.owner.load(std::memory_order_relaxed);
        if (owner == (owned_by(caller) | has_left) &&
            slot.owner.compare_exchange_strong(owner, owned_by(caller), std::memory_order_relaxed))
            return true;
        return owner == owned_by(caller);
    }
    // Acquire pairs with the release in clear().
    static bool claim(Slot& slot, unsigned caller)
    {
        std::uint32_t nobody = 0;
        return slot.owner.compare_exchange_strong(nobody, owned_by(caller), std::memory_order_acquire,
                                                  std::memory_order_relaxed);
    }
    // Makes a lane in a new slot. Null: half of the memory is in use, or the memory is in pieces; the other
    // half is for messages.
    Lane* make_lane(Slot& slot)
    {
        const std::uint64_t bit = std::uint64_t{1} << (&slot - slots_);
        Result<std::byte*> memory = std::unexpected(Error::no_memory);
        if (memory_.taken_units() < memory_.units() / 2)
            memory = memory_.allocate(lane_bytes);
        if (!memory)
            return share(bit);
        Lane* const lane = new (*memory) Lane;
        slot.lane.store(lane, std::memory_order_relaxed);
        // Pairs with the acquire of those who look. Whoever is told of the first message is told of this.
        watched_.fetch_or(bit, std::memory_order_release);
        return lane;
    }
    // From now on takers look at the shared port. `bit`: the sender's slot, or that of all who have none.
    // Those who only read the second word need not set the first: acquire and release pass it on to their
    // taker.
    Lane* share(std::uint64_t bit)
    {
        watched_.fetch_or(shared_bit, std::memory_order_relaxed);
        sharers_.fetch_or(bit, std::memory_order_release);
        return nullptr;
    }
    void free(Lane& lane) { memory_.release(reinterpret_cast<std::byte*>(&lane)); }
    // A block lies at a multiple of its size behind the arena's start, so an address in it says where it
    // begins.
    Lane& lane_around(const MessageMemory& memory)
    {
        std::byte* const arena = memory_.address_of(0);
        const auto offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&memory) - arena);
        return *std::launder(reinterpret_cast<Lane*>(arena + round_down(offset, lane_bytes)));
    }

    // rotated() puts a set of slots in the order that begins with `first`; first_slot() is the first of that
    // order.
    static std::uint64_t rotated(std::uint64_t set, unsigned first)
    {
        return std::rotr(set, static_cast<int>(first % one_more));
    }
    static unsigned first_slot(std::uint64_t set, unsigned first)
    {
        return (first + static_cast<unsigned>(std::countr_zero(set))) % one_more;
    }

    // Acquire pairs with make_lane().
    std::uint64_t lanes() const { return watched_.load(std::memory_order_acquire) & ~shared_bit; }
    Lane& lane_in(unsigned slot) { return *slots_[slot].lane.load(std::memory_order_relaxed); }
    // The lane from which the last message was taken; that was no shared message.
    Lane& current_lane() { return lane_in(stay_ % one_more); }

    // Looks at each slot once, but not at the current lane if take() has just looked there.
    [[gnu::noinline]] Taken take_from_next(MailboxHeld held)
    {
        const unsigned first = stay_ + 1;
        std::uint64_t watched = watched_.load(std::memory_order_acquire);
        if (stay_ >= one_more)
            watched &= ~(std::uint64_t{1} << stay_ % one_more);
        for (std::uint64_t rest = rotated(watched, first); rest != 0; rest &= rest - 1) {
            const unsigned slot = first_slot(rest, first);
            const bool is_shared = slot == shared_slot;
            if (const Taken taken = is_shared ? shared_.take(held, 0) : lane_in(slot).take(held)) {
                stay_ = slot + (is_shared ? 0 : (batch - 1) * one_more);
                return taken;
            }
        }
        return {};
    }

    BuddyHeap& memory_;
    // Guarded by the mailbox's lock: the slot where the last message was taken, plus one_more for each
    // message that may follow there at once. It is one word, because a taker may end between any two steps.
    alignas(64) unsigned stay_ = shared_slot;
    // Where there may be messages: a bit for each slot of a lane, and shared_bit if anyone shares.
    alignas(64) Atomic<std::uint64_t> watched_{0};
    // A bit for each slot of a sender that shares, and shared_bit if one has found no slot.
    Atomic<std::uint64_t> sharers_{0};
    Slot slots_[one_more]; // the last one is nobody's
    CircularPort shared_;
};

} // namespace parley::messaging

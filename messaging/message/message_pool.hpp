// SPDX-License-Identifier: MIT
// One process's spare messages. Those that belong to a pool have a slot in it for good, and come back as one
// bit of a word, so that neither side touches a message's own memory for that. Others come from the heap and
// go there.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "messaging/message/message.hpp"

#include <bit>

namespace parley::messaging {

class MessagePool {
public:
    // Only the owner calls what follows, up to adopt(). The message that will be taken next is known
    // beforehand, so that a sender finds the next one while the last is on its way.
    bool has_next() const { return next_home_ != 0; }
    MessageMemory& next()
    {
        assert_that([&] { return has_next(); });
        return *next_;
    }
    // The next message's slot, as the bits of an envelope's home (Envelope::home_bits). 0: there is none.
    std::uint64_t next_home() const { return next_home_; }
    // Whether there is a next message, perhaps one that has come back by now.
    bool find_next()
    {
        if (!has_next())
            fetch_returned();
        return has_next();
    }
    // Makes the next one a message with this envelope, which names no home yet; it stays the pool's until
    // advance().
    Message& open_next(const Envelope& envelope)
    {
        return next().open(Envelope::of_words(envelope.contents(), envelope.sender() | next_home_));
    }

    // The next message has been taken: finds another that is kept.
    void advance()
    {
        if (kept_ != 0)
            choose_next();
        else
            next_home_ = 0;
    }

    // No next message is known: looks for messages that have come back.
    void fetch_returned()
    {
        if (returned_.load(std::memory_order_seq_cst) != 0)
            kept_ |= returned_.exchange(0, std::memory_order_seq_cst);
        advance();
    }

    // Whether there is a spare message: the next one, or one without a slot. open_spare() makes it a
    // message, which stays the pool's until draw(), whatever comes back meanwhile.
    bool has_spare() { return find_next() || spare_ != nullptr; }
    Message& open_spare(const Envelope& envelope)
    {
        return find_next() ? open_next(envelope) : spare_->open(envelope);
    }
    void draw(const Message& opened)
    {
        if (opened.slot() != 0)
            advance();
        else
            spare_ = nullptr;
    }

    // Takes a spare message. Null: there is none.
    MessageMemory* take()
    {
        MessageMemory*& source = find_next() ? next_ : spare_;
        MessageMemory* const message = source;
        if (&source == &next_)
            advance();
        else
            spare_ = nullptr;
        return message;
    }

    // The owner gives back a message that it took and could not use. Nothing has become free, so nobody needs
    // to hear of that.
    void keep(MessageMemory& message)
    {
        assert_that([&] { return !has(message); });
        if (message.slot() != 0)
            kept_ |= bit(message.slot());
        else
            spare_ = &message; // the only one: take() had no other
        if (!has_next())
            advance();
    }

    // Whether a new message would get a slot.
    bool has_room() const { return ~used_.load(std::memory_order_acquire) != 0; }

    // A new message gets a slot if one is free.
    void adopt(Message& message)
    {
        const std::uint32_t used = used_.load(std::memory_order_acquire);
        const int slot = std::countr_one(used);
        message.set_slot(slot == slots ? 0 : static_cast<std::uint8_t>(slot));
        if (message.slot() == 0)
            return;
        messages_[message.slot()] = &message;
        used_.fetch_or(bit(message.slot()), std::memory_order_relaxed);
    }

    // Anyone gives back a message of this pool. Release pairs with fetch_returned(). Either empty() finds the
    // message, or the caller sees that the owner has ended (acquire). Either the owner finds the message, or
    // the caller sees that the owner waits for it, or for budget. The bit is not set, so it can be added: an
    // addition takes the cache line once, while the emulator's `or` reads the line first, and then takes it.
    void give_back(std::uint32_t slot)
    {
        const std::uint32_t before = returned_.fetch_add(bit(slot), std::memory_order_seq_cst);
        assert_that([&] { return slot != 0 && (before & bit(slot)) == 0; });
    }

    // Owner only: whether the message that it took from this slot has come back. The answer holds until the
    // next fetch_returned(). Pairs with give_back(): either the owner sees the message, or whoever gives it
    // back sees that the owner waits for it.
    bool has_returned(std::uint32_t slot) const
    {
        return (returned_.load(std::memory_order_seq_cst) & bit(slot)) != 0;
    }

    // Takes out the buffer that the owner was filling for a spare message when it was ended; called by the
    // process that cleans up after it. Null: the owner was filling none.
    std::byte* take_buffer()
    {
        for (MessageMemory* const memory : {has_next() ? next_ : nullptr, spare_}) {
            if (memory == nullptr || !memory->opened().is_filling())
                continue;
            memory->opened().end_filling();
            return memory->opened().data;
        }
        return nullptr;
    }

    // Owner, when it ends: takes out a message that the pool had kept; null: there is none.
    MessageMemory* give_up()
    {
        MessageMemory* const message = has_next() || spare_ != nullptr ? take() : nullptr;
        if (message != nullptr && message->slot() != 0)
            used_.fetch_and(~bit(message->slot()), std::memory_order_release);
        return message;
    }

    // Anyone calls this for an owner that has ended: passes each message that has come back to `free`, and it
    // has no slot any more. Messages still on their way keep their slots, for the next owner.
    template <class Free>
    void empty(Free free)
    {
        for (std::uint32_t rest = returned_.exchange(0, std::memory_order_seq_cst); rest != 0;
             rest &= rest - 1) {
            MessageMemory* const message = messages_[std::countr_zero(rest)];
            used_.fetch_and(~bit(message->slot()), std::memory_order_release);
            free(*message);
        }
    }

private:
    static constexpr int slots = 1 << Envelope::slot_bits; // slot 0 is nobody's

    static std::uint32_t bit(std::uint32_t slot) { return std::uint32_t{1} << slot; }

    // Whether the message is one of those that it keeps; of those without a slot it keeps one at most.
    bool has(const MessageMemory& message) const
    {
        if (message.slot() == 0)
            return spare_ != nullptr;
        return (kept_ & bit(message.slot())) != 0 || (has_next() && next_ == &message);
    }

    void choose_next()
    {
        // std::countr_zero would test again whether kept_ is 0.
        const auto slot = static_cast<std::uint64_t>(__builtin_ctzll(kept_));
        kept_ &= kept_ - 1;
        next_ = messages_[slot];
        next_home_ = Envelope::home_bits(slot);
    }

    MessageMemory* next_ = nullptr;
    std::uint64_t next_home_ = 0;
    std::uint64_t kept_ = 0;         // a bit for each slot, without the next one's; 64 bits take fewer steps
    Atomic<std::uint32_t> used_{1};  // slots
    MessageMemory* spare_ = nullptr; // one without a slot that could not be used
    MessageMemory* messages_[slots] = {};
    alignas(64) Atomic<std::uint32_t> returned_{0};
};

} // namespace parley::messaging

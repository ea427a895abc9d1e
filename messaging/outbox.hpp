// SPDX-License-Identifier: MIT
// Where one process's new messages come from: spare memory of its pool or of the job's budget, and the
// envelope that all of them have in common. The process itself calls this.
#pragma once

#include "messaging/memory/budget.hpp"
#include "messaging/peer.hpp"

namespace parley::messaging {

// What is not a message's usual way is not inlined (noinline): that needs registers which others need not
// save then.
template <class F>
class Outbox {
public:
    using PeerType = Peer<F>;

    Outbox(PeerType& self, Budget<typename F::Synchronization>& budget) : self_(self), budget_(budget) { }

    // What all of its messages have on their envelopes.
    const Envelope& header() const { return header_; }
    void set_header(const Envelope& header) { header_ = header; }

    // Whether there is a spare message in the pool: then open_next() makes it a message, which stays the
    // pool's until advance(). The context is where it is in a sender's word.
    bool has_next()
    {
        if (!pool().has_next())
            pool().fetch_returned();
        return pool().has_next();
    }
    Message& open_next(std::uint32_t type, std::uint32_t length, std::uint64_t context)
    {
        return pool().next().open(header_.addressed(type, length, context, pool().next_home()));
    }
    void advance() { pool().advance(); }

    // A message of the pool or of the budget. Errors: no_memory.
    Result<Message*> next(std::uint32_t type, std::uint32_t length, std::uint64_t context)
    {
        MessageMemory& memory = *TRY(memory_for_one());
        return &memory.open(header_.addressed(type, length, context, Envelope::home_bits(memory.place())));
    }
    // One that could not be used. Nobody who waits for the budget hears of it.
    void keep(Message& message)
    {
        message.forget();
        pool().keep(message);
    }

private:
    MessagePool& pool() { return self_.delivery.pool(); }

    Result<MessageMemory*> memory_for_one()
    {
        if (MessageMemory* const spare = pool().take())
            return spare;
        return memory_from_budget();
    }

    // A pool that is empty gets a few at once, so that it need not look for returned ones at every send. The
    // first without a place in the pool is the last: nobody would keep another.
    [[gnu::noinline]] Result<MessageMemory*> memory_from_budget()
    {
        static constexpr int at_once = 8;
        MessageMemory* const message = TRY(one_from_budget());
        for (int more = 1; more < at_once && pool().has_room(); ++more) {
            const Result<MessageMemory*> next = one_from_budget();
            if (!next)
                break;
            pool().keep(**next);
        }
        return message;
    }
    Result<MessageMemory*> one_from_budget()
    {
        auto* const message = new (TRY(budget_.heap().allocate(sizeof(Message)))) Message;
        pool().adopt(*message);
        return message;
    }

    PeerType& self_;
    Budget<typename F::Synchronization>& budget_;
    Envelope header_{};
};

} // namespace parley::messaging

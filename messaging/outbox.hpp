// SPDX-License-Identifier: MIT
// Makes one process's new messages, from spare memory of its pool or from the job's budget, and has the
// envelope that all of them have in common. The process itself calls this.
#pragma once

#include "messaging/memory/budget.hpp"
#include "messaging/peer.hpp"

namespace parley::messaging {

// Functions that most messages do not need are not inlined (noinline), so that other functions need not
// save the registers that these use.
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
    bool has_next() { return pool().find_next(); }
    Message& open_next(std::uint32_t type, std::uint32_t length, std::uint64_t context)
    {
        return pool().open_next(header_.addressed(type, length, context, 0));
    }
    void advance() { pool().advance(); }

    // A message of the pool or of the budget. Errors: no_memory.
    Result<Message*> next(std::uint32_t type, std::uint32_t length, std::uint64_t context)
    {
        MessageMemory& memory = *TRY(memory_for_one());
        return &memory.open(header_.addressed(type, length, context, Envelope::home_bits(memory.place())));
    }
    // A message could not be used and is spare again. Processes that wait for budget are not signalled.
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

    // An empty pool gets several messages at once, so that it need not look for returned ones at every
    // send. It stops when the pool is full, because the pool would not keep another.
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

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

    // Opens a spare message, which the pool has or the budget gives. It stays the pool's until draw(): a
    // process that is ended while the program's bytes are copied has taken nothing. Errors: no_memory.
    Result<Message*> open(std::uint32_t type, std::uint32_t length, std::uint64_t context)
    {
        if (!pool().has_spare())
            TRY_VOID(add_from_budget());
        return &pool().open_spare(header_.addressed(type, length, context, 0));
    }
    // The message that open() has answered last is the caller's.
    void draw(const Message& opened) { pool().draw(opened); }

private:
    MessagePool& pool() { return self_.delivery.pool(); }

    // An empty pool gets several messages at once, so that it need not look for returned ones at every
    // send. It stops when the pool is full, because the pool would not keep another.
    [[gnu::noinline]] Result<void> add_from_budget()
    {
        static constexpr int at_once = 8;
        TRY_VOID(add_one());
        for (int more = 1; more < at_once && pool().has_room() && add_one(); ++more) { }
        return {};
    }
    Result<void> add_one()
    {
        auto* const message = new (TRY(budget_.heap().allocate(sizeof(Message)))) Message;
        pool().adopt(*message);
        pool().keep(*message);
        return {};
    }

    PeerType& self_;
    Budget<typename F::Synchronization>& budget_;
    Envelope header_{};
};

} // namespace parley::messaging

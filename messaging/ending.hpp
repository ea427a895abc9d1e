// SPDX-License-Identifier: MIT
// The ends of programs, and what their places are afterwards.
#pragma once

#include "messaging/sending.hpp"

namespace parley::messaging {

template <class F>
class Ending : public Sending<F> {
public:
    using typename Sending<F>::EndpointType;
    using Sending<F>::Sending;

    Result<void> linger(unsigned caller) override
    {
        EndpointType& self = endpoint(caller);
        return this->await(self, {WaitReason::lent, 0, 0, -1},
                           [&] { return self.lent.delivered() && self.requests.all_delivered(); });
    }

    void close(unsigned index, EndpointState how) override
    {
        EndpointType& self = endpoint(index);
        self.set_state(how);
        // Pairs with put(): orders the state before what comes later.
        this->signal(self.event());
        forsake(self);
        abandon_receives(self);
        this->discard_all(self, self);
        while (Message* const message = self.pool.give_up())
            this->free_message(*message);
        this->free_pool(self);
        parts_.blocks.release_all(index);
        for (unsigned carrier = parts_.processes; carrier < parts_.endpoints.size(); ++carrier)
            // it may be waiting for the last process to end
            this->signal(endpoint(carrier).event());
    }

    void vacate(unsigned index, Waiting messages) override
    {
        EndpointType& self = endpoint(index);
        // What it has lent is gone with it, and receivers must hear of that.
        if (parts_.traits.lends)
            return Ending::close(index, EndpointState::killed);
        forsake(self);
        abandon_receives(self);
        if (messages == Waiting::dropped)
            this->discard_all(self, self);
        parts_.blocks.release_all(index);
        Ending::open(index);
    }

    void open(unsigned index) override
    {
        EndpointType& self = endpoint(index);
        if (self.requests.all_delivered())
            new (&self.requests) RequestTable;
        self.attention.set_watch(WatchState::off);
        self.record->end_any();
        self.set_state(EndpointState::live);
    }

protected:
    ~Ending() = default;

    using Sending<F>::endpoint;
    using Sending<F>::parts_;

private:
    // The process is no more, and may have ended anywhere in the user-level library: looking into its port
    // with the lock held, or waiting.
    void forsake(EndpointType& self)
    {
        std::uint32_t held = Lock::by_owner;
        self.lock.word.compare_exchange_strong(held, 0, std::memory_order_acq_rel);
        self.attention.set_wants_delivery(false);
        if (self.attention.wants_budget())
            this->end_budget_wait(self);
    }

    // Messages that posted receives had matched are unexpected again, the oldest first.
    void abandon_receives(EndpointType& self)
    {
        this->acquire_always(self, self);
        while (self.posted.pop_front() != nullptr) { }
        this->refuse_granted(self);
        MessageList matched;
        while (Request* const request = self.matched.pop_front())
            matched.push_back(*request->message);
        self.unexpected.push_front(matched);
        self.has_matched.store(0, std::memory_order_relaxed);
        this->unlock(self, self);
    }
};

} // namespace parley::messaging

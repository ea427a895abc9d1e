// SPDX-License-Identifier: MIT
// What the core does for protocols, over the endpoints of one job.
#pragma once

#include "messaging/endpoint.hpp"

namespace parley::messaging {

template <class F>
class JobExchange final : public Exchange {
public:
    using PeerType = Peer<F>;

    // `endpoints`: by index; null: the process is away.
    JobExchange(Router<F>& router, std::span<ComposedEndpoint<F>* const> endpoints)
        : router_(router), endpoints_(endpoints)
    {
    }

    EndpointState state_of(unsigned endpoint) const override { return router_.peer(endpoint).state(); }
    void signal(unsigned endpoint) override { peer(endpoint).waiter.signal(); }
    void notify(unsigned endpoint) override { peer(endpoint).waiter.notify(); }

    bool lock(unsigned caller, unsigned endpoint) override TRY_ACQUIRE(true, a_mailbox)
    {
        return mailbox(endpoint).lock(party(caller));
    }
    void unlock(unsigned caller, unsigned endpoint) override RELEASE(a_mailbox)
    {
        mailbox(endpoint).assert_held();
        mailbox(endpoint).unlock(party(caller));
        a_mailbox.left();
    }
    void lock_always(unsigned caller, unsigned endpoint) override ACQUIRE(a_mailbox)
    {
        mailbox(endpoint).lock_always(party(caller));
        a_mailbox.entered(PassedLock(mailbox(endpoint)));
    }

    void end(unsigned endpoint, Receive& receive, const Result<void>& brought) override REQUIRES(a_mailbox)
    {
        mailbox(endpoint).assert_held();
        mailbox(endpoint).end_engaged(receive, brought);
    }
    void match(unsigned endpoint, Receive& receive) override REQUIRES(a_mailbox)
    {
        mailbox(endpoint).assert_held();
        mailbox(endpoint).match_engaged(receive);
    }

    Result<void> await_arrival(unsigned caller, const Message& message, const WaitDetails& details,
                               Condition arrived) override
    {
        PeerType& to = peer(message.destination);
        if (endpoints_[caller]->reaches(message.destination))
            return to.mailbox.drain(party(caller));
        return progress(caller).await(details, arrived);
    }
    bool take_back(unsigned caller, Message& message) override
    {
        return peer(message.destination).mailbox.take_back(message, party(caller));
    }

    Result<void> await(unsigned caller, const WaitDetails& details, Condition condition) override
    {
        return progress(caller).await(details, condition);
    }
    Result<void> await_budget(unsigned caller, const WaitDetails& details, Condition condition) override
    {
        return progress(caller).await_budget(details, condition);
    }

    void complete(Message& message) override { router_.complete(message); }

private:
    PeerType& peer(unsigned endpoint) { return router_.peer(endpoint); }
    auto& mailbox(unsigned endpoint) { return peer(endpoint).mailbox; }
    Party& party(unsigned caller) { return peer(caller).waiter.party(); }
    Progress<F>& progress(unsigned caller) { return endpoints_[caller]->progress(); }

    Router<F>& router_;
    std::span<ComposedEndpoint<F>* const> endpoints_;
};

} // namespace parley::messaging

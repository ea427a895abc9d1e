// SPDX-License-Identifier: MIT
// One process of a job as the others see it: whom to wake, where to put, where its messages return to.
#pragma once

#include "messaging/active/queues.hpp"
#include "messaging/delivery.hpp"
#include "messaging/factors_of.hpp"
#include "messaging/mailbox.hpp"
#include "messaging/meeting.hpp"

namespace parley::messaging {

template <class F>
struct alignas(64) Peer {
    Peer(typename F::Port& port, typename F::Synchronization& synchronization, WaitRecord& record,
         const sched::States& states, unsigned index, Meetings& meetings)
        : waiter(synchronization, record, states.party(index)), mailbox(port, waiter), delivery(waiter),
          meetings(meetings)
    {
        mailbox.equip(states, index);
        record.unexpected = mailbox.shown_to_monitor();
    }

    unsigned index() const { return waiter.index(); }
    EndpointState state() const { return waiter.state(); }
    // Whether a short way may put messages into its mailbox.
    bool is_direct() const { return waiter.status().is_direct(); }

    // Called by a sender that has put a message whose delivery nobody waits for. True: the status is not
    // ordinary, or somebody sleeps on the event; then the caller must attend (Router::attend()). Where draws
    // are shown, a process that does not wait is not signalled: of two that draw a number or change the
    // status and then look at the other, one sees the change. So the process sees the number before it waits
    // for messages or to be interrupted, and stays awake until the entry is published; if another has taken
    // the message meanwhile, that one signals (Mailbox::drain()).
    [[gnu::always_inline]] bool tell()
    {
        if (mailbox.draws_are_shown() && waiter.status().is_ordinary()) [[likely]]
            return false;
        return waiter.announce();
    }

    Waiter<typename F::Synchronization> waiter;
    Mailbox<typename F::Port, typename F::Synchronization> mailbox;
    Delivery<typename F::Synchronization> delivery;
    // Its queues for Active Messages, once there are some (active/maker.hpp, whose the other two words are).
    Atomic<ActiveQueues<typename F::ActivePort, typename F::Synchronization>*> active{nullptr};
    Atomic<std::uint32_t> active_state{0}, active_failed{0};
    Meetings& meetings;
};

} // namespace parley::messaging

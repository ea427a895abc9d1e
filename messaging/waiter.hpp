// SPDX-License-Identifier: MIT
// The process of one endpoint, as those see it who wait for it or wake it: its status word, its event and the
// record of what it waits for. Any process of the job calls this but for wait() and what is marked owner.
#pragma once

#include "messaging/status_word.hpp"
#include "messaging/synchronization.hpp"
#include "messaging/trace_points.hpp"
#include "messaging/wait_record.hpp"

#include "platform.hpp"

namespace parley::messaging {

template <class S = Synchronization>
class Waiter {
public:
    Waiter(S& synchronization, WaitRecord& record, Party party)
        : index_(party.number()), synchronization_(synchronization), record_(record), party_(party)
    {
    }

    unsigned index() const { return index_; }
    WaitRecord& record() { return record_; }
    StatusWord& status() { return status_; }
    const StatusWord& status() const { return status_; }
    S& synchronization() { return synchronization_; }
    // The process itself, when it takes locks.
    Party& party() { return party_; }

    EndpointState state() const { return status_.state(); }
    // By the process that ends or begins, or by whoever ends it; others that wait for it are not told here.
    void set_state(EndpointState state)
    {
        record_.state.store(state, std::memory_order_release);
        status_.set_state(state);
    }

    // Of the event. Acquire pairs with whoever signals: what was done before the signal is seen.
    std::uint32_t sequence() const { return record_.event.sequence.load(std::memory_order_acquire); }

    // Something that the process may wait for has happened.
    void signal() { sched::signal(synchronization_, record_.event); }

    // A signal in two steps, for the short way of a send: the event has moved, and somebody sleeps on it or
    // the status is out of the ordinary; then whoever signalled must wake() and look. Sequentially
    // consistent, as the status: of two that change one and look at the other, one sees the change.
    bool announce()
    {
        Event& event = record_.event;
        event.sequence.fetch_add(1, std::memory_order_seq_cst);
        return (event.sleeping() | status_.all()) != 0;
    }
    void wake()
    {
        if (record_.event.sleeping() != 0)
            synchronization_.wake(record_.event);
    }

    // Something that the process wants to be interrupted for has happened, or may have. Once for each time it
    // has armed its notification. The signal comes after the mark, so a wait that has not seen the mark has
    // seen an old sequence and ends.
    void notify()
    {
        if (!status_.notify())
            return;
        signal();
        platform::notify(index_);
    }

    // Owner. Waits until something has changed since `seen`; a monitor sees what for. Errors: killed;
    // interrupted, where `details` permit it.
    Result<void> wait(const WaitDetails& details, std::uint32_t seen)
    {
        const Notification notification = status_.notification();
        if (details.restartable && notification == Notification::pending)
            return std::unexpected(Error::interrupted);
        trace::waiting(index_, details);
        record_.begin(details, seen, notification == Notification::held);
        const Result<void> result = synchronization_.wait(record_.event, seen);
        record_.end();
        trace::resumed(index_);
        return result;
    }

private:
    StatusWord status_;
    const unsigned index_;
    S& synchronization_;
    WaitRecord& record_;
    Party party_;
};

} // namespace parley::messaging

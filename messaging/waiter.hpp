// SPDX-License-Identifier: MIT
// The process of one endpoint, as those see it who wait for it or wake it: its status word, its event and the
// record of what it waits for. Any process of the job may call what is not marked "Owner".
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
    // The process itself, as locks know it.
    Party& party() { return party_; }

    EndpointState state() const { return status_.state(); }
    // The process that ends or begins calls this, or whoever ends it. This does not signal those who wait.
    void set_state(EndpointState state)
    {
        record_.state.store(state, std::memory_order_release);
        status_.set_state(state);
    }

    // The event's sequence. Acquire pairs with the signal: what was done before the signal is seen.
    std::uint32_t sequence() const { return record_.event.sequence.load(std::memory_order_acquire); }

    // Where that sequence lies, for a program that looks whether something has come by a signal.
    const unsigned* arrivals() const { return reinterpret_cast<const unsigned*>(&record_.event.sequence); }

    // Something that the process may wait for has happened.
    void signal() { sched::signal(synchronization_, record_.event); }

    // Signals in two steps, for a send that must signal (Peer::tell()). True: somebody sleeps on the event,
    // or the status is not ordinary; then the caller must call wake() and look at the status. Sequentially
    // consistent, as the status is: of two that change one and look at the other, one sees the change.
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

    // Something that the process wants to be interrupted for has happened, or may have. This interrupts it
    // once for each time it has armed its notification. The signal comes after the mark, so a wait that has
    // not seen the mark has seen an old sequence and ends.
    void notify()
    {
        if (!status_.notify())
            return;
        signal();
        platform::notify(index_);
    }

    // Owner. Waits until the event's sequence is not `seen` any more; `details` tell a monitor what for.
    // Errors: killed; interrupted, where `details` permit it.
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

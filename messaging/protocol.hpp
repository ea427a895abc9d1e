// SPDX-License-Identifier: MIT
// What a message may still need between its sender and its receiver. A Transfer whose messages take more than
// one step gives each such message its protocol in offer() (Message::follow), and keeps what the protocol
// must remember in the message's space. Only of such messages is the core's question asked.
#pragma once

#include "base/result.hpp"
#include "base/thread_safety.hpp"
#include "messaging/wait_record.hpp"

#include <memory>

namespace parley::messaging {

class Message;
struct Offer;
struct Receive;

// A condition that somebody waits for; refers to the function that it was made of.
class Condition {
public:
    template <class Function>
    Condition(const Function& holds)
        : holds_([](const void* function) -> bool { return (*static_cast<const Function*>(function))(); }),
          function_(std::addressof(holds))
    {
    }

    bool operator()() const { return holds_(function_); }

private:
    bool (*holds_)(const void*);
    const void* function_;
};

// The lock of a mailbox, as protocols know it: they name mailboxes by endpoints, so the analysis of locks
// knows only whether one is held. Nobody holds two.
class CAPABILITY("mailbox") AMailbox {
public:
    // Without a step of their own: the lock of the mailbox has been taken, or is about to be left.
    void entered() const ACQUIRE() { }
    void left() const RELEASE() { }
};
inline constexpr AMailbox a_mailbox;

// While a mailbox, whose lock is held, calls a protocol.
class SCOPED_CAPABILITY InAMailbox{public : template <class M> explicit InAMailbox(const M& mailbox)
                                       ACQUIRE(a_mailbox){mailbox.assert_held();
} // namespace parley::messaging
~InAMailbox() RELEASE() { }
}
;

// What the core does for a protocol. Endpoints are named by their index; `caller` is that of the process that
// runs. All of it may be called by anyone who may send, unless it says more.
class Exchange {
public:
    // Of this endpoint's process.
    virtual EndpointState state_of(unsigned endpoint) const = 0;
    // It shall look again.
    virtual void signal(unsigned endpoint) = 0;
    // The same, and it wanted to be interrupted for what has happened, or perhaps did.
    virtual void notify(unsigned endpoint) = 0;
    // The lock of an endpoint's mailbox. False: the caller must end, and does not hold it.
    [[nodiscard]] virtual bool lock(unsigned caller, unsigned endpoint) TRY_ACQUIRE(true, a_mailbox) = 0;
    virtual void unlock(unsigned caller, unsigned endpoint) RELEASE(a_mailbox) = 0;
    // For cleaning up, which a process that must end still has to do.
    virtual void lock_always(unsigned caller, unsigned endpoint) ACQUIRE(a_mailbox) = 0;
    // The receive is engaged. It has received the message, or its bytes could not be brought; the message is
    // the caller's afterwards.
    virtual void end(unsigned endpoint, Receive& receive, const Result<void>& brought)
        REQUIRES(a_mailbox) = 0;
    // The receive is engaged. From now on it is one whose message has come: its owner accepts it.
    virtual void match(unsigned endpoint, Receive& receive) REQUIRES(a_mailbox) = 0;

    // Brings to rest what lies in the mailbox that the message is meant for; where messages are carried,
    // waits until `arrived` says that it has come there. Errors: killed.
    virtual Result<void> settle(unsigned caller, const Message& message, const WaitDetails& details,
                                Condition arrived) = 0;
    // Out of the unexpected messages of its destination; false: it is not among them.
    virtual bool take_back(unsigned caller, Message& message) = 0;

    // Waits, accepting for posted receives meanwhile. Errors: killed; interrupted, where `details` permit it.
    virtual Result<void> await(unsigned caller, const WaitDetails& details, Condition condition) = 0;
    // The same, and looks again whenever something of the job's budget has been freed.
    virtual Result<void> await_budget(unsigned caller, const WaitDetails& details, Condition condition) = 0;

    // The message is over; its sender is told, and its memory is spare again.
    virtual void complete(Message& message) = 0;

protected:
    ~Exchange() = default;
};

class Protocol {
public:
    enum class Step : std::uint8_t {
        whole,   // nothing more is needed: the message is one like others
        engaged, // the protocol ends the receive, or hands it to its owner (Exchange::match): now or later
    };

    // By whoever brings the message to rest, which may be the sender itself. The message is in no list; the
    // receive that it has met is engaged.
    virtual Step matched(Message& message, Receive& receive) REQUIRES(a_mailbox) = 0;
    // No receive is posted for it: it goes to the unexpected messages.
    virtual void queued(Message& message) REQUIRES(a_mailbox) = 0;
    // An engaged receive is taken back; the message looks for another one now.
    virtual void withdrawn(Message& message) REQUIRES(a_mailbox) = 0;
    // The process of an engaged receive has ended.
    virtual void abandoned(Message& message) REQUIRES(a_mailbox) = 0;
    // Nobody will receive the message. True: its sender will complete it. False: it is the caller's.
    virtual bool refused(Message& message) = 0;

    // The sender, when it has put the message: does what is left to do within the call. Afterwards the
    // message is not the caller's. Errors: killed, and those of the Transfer's offer; interrupted, where
    // `details` permit it, as if nothing had been sent.
    virtual Result<void> bring(Message& message, const Offer& offer, const WaitDetails& details) = 0;

protected:
    ~Protocol() = default;
};

} // namespace parley::messaging

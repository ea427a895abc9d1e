// SPDX-License-Identifier: MIT
// What a message may still need between its sender and its receiver. A Transfer whose messages take more than
// one step gives each such message its protocol in offer() (Message::follow), and keeps what the protocol
// must remember in the message's space. Only for such messages does the core call the functions of Protocol.
#pragma once

#include "base/result.hpp"
#include "base/thread_safety.hpp"
#include "messaging/mailbox_held.hpp"
#include "messaging/passed_lock.hpp"
#include "messaging/wait_record.hpp"

#include <memory>

namespace parley::messaging {

class Message;
struct Offer;
struct Receive;

// A condition that somebody waits for. It refers to the function that it was made of, which must outlive it.
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
    // These take no step: the mailbox's own lock has been passed to its users, or has been released.
    void entered(PassedLock) const ACQUIRE() { }
    void left() const RELEASE() { }
};
inline constexpr AMailbox a_mailbox;

// Exists while a mailbox calls a protocol.
class SCOPED_CAPABILITY InAMailbox {
public:
    explicit InAMailbox(MailboxHeld) ACQUIRE(a_mailbox) { }
    ~InAMailbox() RELEASE() { }
};

// What the core does for a protocol. Endpoints are named by their index; `caller` is that of the process that
// runs. Any process that may send calls these, unless a function says more.
class Exchange {
public:
    // The state of this endpoint's process.
    virtual EndpointState state_of(unsigned endpoint) const = 0;
    // Makes this endpoint's process look again.
    virtual void signal(unsigned endpoint) = 0;
    // Something that this endpoint's process may want to be interrupted for has happened (Waiter::notify).
    virtual void notify(unsigned endpoint) = 0;
    // Takes the lock of an endpoint's mailbox. False: the caller must end, and does not hold the lock.
    [[nodiscard]] virtual bool lock(unsigned caller, unsigned endpoint) TRY_ACQUIRE(true, a_mailbox) = 0;
    virtual void unlock(unsigned caller, unsigned endpoint) RELEASE(a_mailbox) = 0;
    // Takes the lock always, for cleaning up, which a process that must end still has to do.
    virtual void lock_always(unsigned caller, unsigned endpoint) ACQUIRE(a_mailbox) = 0;
    // Ends an engaged receive: it has received the message, or `brought` says why the bytes could not be
    // brought. The message is the caller's afterwards.
    virtual void end(unsigned endpoint, Receive& receive, const Result<void>& brought)
        REQUIRES(a_mailbox) = 0;
    // From now on an engaged receive is one whose message has come: its owner accepts the message.
    virtual void match(unsigned endpoint, Receive& receive) REQUIRES(a_mailbox) = 0;

    // Brings to rest what lies in the port of the message's destination; where helpers carry messages, waits
    // until `arrived` says that the message has come there. Errors: killed.
    virtual Result<void> await_arrival(unsigned caller, const Message& message, const WaitDetails& details,
                                       Condition arrived) = 0;
    // Takes the message out of the unexpected ones of its destination. False: it is not among them.
    virtual bool take_back(unsigned caller, Message& message) = 0;

    // Waits, accepting for posted receives meanwhile. Errors: killed; interrupted, where `details` permit it.
    virtual Result<void> await(unsigned caller, const WaitDetails& details, Condition condition) = 0;
    // Does the same, and looks again whenever something of the job's budget has been freed.
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

    // The message has met a receive. Whoever brings it to rest calls this, which may be the sender itself.
    // The message is in no list; the receive is engaged.
    virtual Step matched(Message& message, Receive& receive) REQUIRES(a_mailbox) = 0;
    // No receive is posted for the message: it goes to the unexpected ones.
    virtual void queued(Message& message) REQUIRES(a_mailbox) = 0;
    // An engaged receive is taken back; the message looks for another one now.
    virtual void withdrawn(Message& message) REQUIRES(a_mailbox) = 0;
    // The process of an engaged receive has ended.
    virtual void abandoned(Message& message) REQUIRES(a_mailbox) = 0;
    // Nobody will receive the message, and the caller discards it. True: its sender will complete it. False:
    // the caller completes it.
    virtual bool refused(Message& message) = 0;

    // The sender calls this when it has put the message: it does what is left to do within the call.
    // Afterwards the message is not the caller's. Errors: killed, and those of the Transfer's offer;
    // interrupted, where `details` permit it, as if nothing had been sent.
    virtual Result<void> bring(Message& message, const Offer& offer, const WaitDetails& details) = 0;
    // The sender's process was ended in the middle of bring(), while the program's bytes were copied, and the
    // one that ended it calls this. Afterwards the message is what it is when bring() answers `killed`.
    virtual void abandoned_by_sender(Message& message, unsigned sender) = 0;

protected:
    ~Protocol() = default;
};

} // namespace parley::messaging

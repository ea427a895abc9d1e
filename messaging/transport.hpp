// SPDX-License-Identifier: MIT
// Factor "transport": who moves a message to its destination? Leaves say in `helpers` how many delivery
// processes of their own a job must start for them; their endpoints follow those of the job's programs.
#pragma once

#include "base/result.hpp"
#include "messaging/binding.hpp"
#include "messaging/layout.hpp"

#include <cstdint>

namespace parley::messaging {

class BuddyHeap;
class Exchange;
class MachineMeetings;
class Message;
class MessagePool;
class Polling;
class Transfer;
class UnpolledCalls;
struct WaitRecord;
template <class E>
class PolledCalls;

// What a Transport may be made from.
struct TransportParts {
    Layout layout;
    std::uint64_t setting;      // as SystemOptions has it
    Polling* polling = nullptr; // of a delivery process that looks into two sources
};

// What a delivery process works with that is not the message system's. Whoever starts the process brings it
// (MessageSystem::deliver), and the Transport knows what it is.
class Equipment {
protected:
    ~Equipment() = default;
};

// The parts by which a delivery process sends and receives messages of its own making.
struct HelperParts {
    Transfer& transfer;
    Exchange& exchange;
    BuddyHeap& buffers; // the job's budget
    MessagePool& pool;  // of the delivery process, as its record
    WaitRecord& record;
};

// What a job offers to one of its delivery processes. Only that delivery process calls it.
class Helper {
public:
    // Which of the transport's helpers this one is, from 0 on.
    virtual unsigned number() const = 0;
    // Takes the oldest message that was put into this helper's mailbox, or answers null. Errors: killed.
    virtual Result<Message*> next() = 0;
    // Moves the message's bytes one step on (Transfer::relay).
    virtual void relay(Message& message) = 0;
    // Puts the message into its destination's mailbox. Errors: killed; then the message is gone.
    virtual Result<void> put(Message& message) = 0;
    // Makes the helper of this number look again.
    virtual void wake(unsigned helper) = 0;
    // The sequence of this helper's event: read before a look, given to wait() when the look has shown
    // nothing.
    virtual std::uint32_t sequence() const = 0;
    // Waits until something may have come since the sequence was `seen`, or this process is told to end.
    // Errors: killed, it was told before.
    virtual Result<void> wait(std::uint32_t seen) = 0;
    // Whether no process of the job is left that could send or receive, as the processes say that close
    // their endpoints, or as whoever has told this process to end knows.
    virtual bool all_have_ended() const = 0;

    // Something of the job's budget has been freed.
    virtual void freed() = 0;
    // Whether this process is to be signalled when others free something.
    virtual void want_budget(bool wants) = 0;
    virtual const HelperParts& parts() = 0;
    // The meetings with processes of other machines; null: there are none, nor will there be any.
    virtual MachineMeetings* meetings() = 0;
    // What whoever started this process has brought for it; null: nothing.
    virtual Equipment* equipment() = 0;

protected:
    ~Helper() = default;
};

class Transport {
public:
    // The calls of an endpoint E that look for messages, unless the leaf names others.
    template <class E>
    using LookingCalls = PolledCalls<E>;

    // Narrows the short ways of every process. This is called once, when a system is made.
    virtual void bind(Binding& binding) const = 0;
    // The processes of a job are one group or several, of which each has ways of its own. These are asked
    // once, when a system is made: how many groups; of which one the process of an endpoint is; and the
    // endpoint into whose mailbox senders of a group put what is meant for `destination`.
    virtual unsigned groups() const { return 1; }
    virtual unsigned group_of(unsigned endpoint, const Layout& layout) const
    {
        (void)endpoint, (void)layout;
        return 0;
    }
    virtual unsigned route(unsigned group, unsigned destination, const Layout& layout) const = 0;
    // Whether the process of that endpoint lives elsewhere, over another message system: then nobody ever
    // puts into its mailbox here. This is asked once, when a system is made.
    virtual bool is_away(unsigned endpoint, const Layout& layout) const
    {
        (void)endpoint, (void)layout;
        return false;
    }
    // The life of a delivery process: returns when all processes of the job have ended. Errors: killed.
    virtual Result<void> help(Helper& helper) = 0;

protected:
    ~Transport() = default;
};

} // namespace parley::messaging

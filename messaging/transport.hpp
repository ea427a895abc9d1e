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
class Message;
class MessagePool;
class Transfer;
struct WaitRecord;

// What a Transport may be made from.
struct TransportParts {
    Layout layout;
    std::uint64_t setting; // as SystemOptions has it
};

// What a delivery process works with that is not the message system's. Whoever starts the process brings it
// (MessageSystem::deliver), and the Transport knows what it is.
class Equipment {
protected:
    ~Equipment() = default;
};

// By what a delivery process sends and receives messages of its own making.
struct HelperParts {
    Transfer& transfer;
    Exchange& exchange;
    BuddyHeap& buffers; // the job's budget
    MessagePool& pool;  // of the delivery process, as its record
    WaitRecord& record;
};

// What a job offers to one of its delivery processes. All of it is the delivery process's own to call.
class Helper {
public:
    // Which of the transport's helpers it is, from 0 on.
    virtual unsigned number() const = 0;
    // The oldest message that was put into its mailbox, or null. Errors: killed.
    virtual Result<Message*> next() = 0;
    // The message's bytes are moved one step on, as the Transfer does that.
    virtual void relay(Message& message) = 0;
    // The message is put into its destination's mailbox. Errors: killed; then the message is gone.
    virtual Result<void> put(Message& message) = 0;
    // The helper of this number shall look again.
    virtual void wake(unsigned helper) = 0;
    // Its event's sequence: read before a look, given to wait() when the look has shown nothing.
    virtual std::uint32_t sequence() const = 0;
    // Until something may have come since. Errors: killed.
    virtual Result<void> wait(std::uint32_t seen) = 0;
    // No process of the job is left that could send or receive.
    virtual bool all_have_ended() const = 0;

    // Something of the job's budget has been freed; and whether this process is to hear when others do that.
    virtual void freed() = 0;
    virtual void want_budget(bool wants) = 0;
    virtual const HelperParts& parts() = 0;
    // Null: whoever has started it has brought none.
    virtual Equipment* equipment() = 0;

protected:
    ~Helper() = default;
};

class Transport {
public:
    // Narrows the short ways of every process. Once, when a system is made.
    virtual void bind(Binding& binding) const = 0;
    // Into the mailbox of which endpoint senders put what is meant for `destination`. Asked once, when a
    // system is made.
    virtual unsigned route(unsigned destination, const Layout& layout) const = 0;
    // The life of a delivery process: returns when all processes of the job have ended. Errors: killed.
    virtual Result<void> help(Helper& helper) = 0;

protected:
    ~Transport() = default;
};

} // namespace parley::messaging

// SPDX-License-Identifier: MIT
// Factor "transport": who moves a message to its destination? Leaves say in `helpers` how many delivery
// processes of their own a job must start for them; their endpoints follow those of the job's programs.
#pragma once

#include "base/result.hpp"
#include "messaging/binding.hpp"
#include "messaging/gateway.hpp"
#include "messaging/layout.hpp"

namespace parley::messaging {

class Message;

// A delivery process, as its Transport sees it. All of it is the delivery process's own to call.
class Helper {
public:
    // Which of the transport's helpers it is, from 0 on.
    virtual unsigned number() const = 0;
    // The oldest message that was put into its mailbox, or null. Errors: killed.
    virtual Result<Message*> next() = 0;
    // The bytes are moved on, as the Transfer does that, and the message is put into its destination's
    // mailbox. Errors: killed; then the message is gone.
    virtual Result<void> deliver(Message& message) = 0;
    // The helper of this number shall look again.
    virtual void wake(unsigned helper) = 0;
    // Its event's sequence: read before a look, given to wait() when the look has shown nothing.
    virtual std::uint32_t sequence() const = 0;
    // Until something may have come since. Errors: killed.
    virtual Result<void> wait(std::uint32_t seen) = 0;
    // No process of the job is left on this machine that could send or receive.
    virtual bool all_have_ended() const = 0;
    // For a Transport that joins machines: what joins this one to the others, or null on a machine by itself;
    // and what the message system does for that.
    virtual Network* network() = 0;
    virtual Gateway& gateway() = 0;

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

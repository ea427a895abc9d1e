// SPDX-License-Identifier: MIT
// What one machine's message system does for the network that joins it to the others of its job. The helper
// of transport=network receives what its own processes send to other machines as any process would, and
// sends what has crossed in the name of its senders; so every Transfer works across, by its own rules.
#pragma once

#include "base/result.hpp"
#include "messaging/completion.hpp"
#include "messaging/layout.hpp"
#include "messaging/machine_meetings.hpp"
#include "messaging/message/message.hpp"
#include "messaging/polling.hpp"
#include "messaging/transport.hpp"

namespace parley::messaging {

// Only the helper calls this.
class Gateway {
public:
    virtual const Layout& layout() const = 0;
    // How often the network is looked into beside next().
    virtual Polling& polling() = 0;
    // How many bytes the messages of this machine may have.
    virtual std::size_t budget() const = 0;

    // The oldest message for another machine, or null; it is the caller's until complete().
    virtual Message* next() = 0;
    // Brings the message's bytes to `buffer`, which has room for message.length(). Errors: would_block, the
    // sender is still bringing them, try again; closed, they are gone with their sender.
    virtual Result<void> take(Message& message, std::byte* buffer) = 0;
    // Whether two messages of one sender, of which the caller has both, have the same envelope and bytes, as
    // those of a broadcast: only where they go may differ. Then the caller takes the bytes of one.
    virtual bool are_alike(const Message& one, const Message& other) const = 0;
    // Gives up a message's bytes, which it has and which the caller has taken from another that is alike.
    virtual void pass_over(Message& message) = 0;
    // Whether somebody counts the message's delivery. If not, it is over when its bytes have been taken.
    virtual bool is_awaited(const Message& message) const = 0;
    // The message has been delivered, or never will be: tells its sender.
    virtual void complete(Message& message) = 0;

    // Makes a completion for put(), where other processes of this machine reach it. Errors: no_memory.
    virtual Result<Completion*> new_completion() = 0;
    virtual void free(Completion& completion) = 0;

    // Puts a message that has crossed into the mailbox of an endpoint of this machine, as its sender has put
    // it. `stamp`: the message's, so that whoever watches pairs its receive with its send over there.
    // `delivered`: counts its delivery, or null. Errors: no_memory, nothing changed: try again when
    // something has been freed.
    virtual Result<void> put(const Envelope& envelope, std::uint32_t stamp, unsigned destination,
                             const std::byte* bytes, Completion* delivered) = 0;
    // Whether the helper is signalled from now on when something of the budget is freed.
    virtual void want_budget(bool wants) = 0;

    // The meetings of this machine's processes with those of others; null: there are none, nor will there be.
    virtual MachineMeetings* meetings() = 0;

    // The sequence of the helper's event: read before a look at all that there may be to do. Whoever watches
    // the job sees the helper as one that waits between begin_rest(), which is given what was read, and
    // end_rest().
    virtual std::uint32_t sequence() const = 0;
    virtual void begin_rest(std::uint32_t seen) = 0;
    virtual void end_rest() = 0;
    // Sleeps, or spins as the design has it, until signal() or until there may be more to do here than when
    // the sequence was `seen`. Errors: killed, the helper must end; it was told before.
    virtual Result<void> wait(std::uint32_t seen) = 0;
    // Ends the helper's wait(). Anybody may call this, also who has no process.
    virtual void signal() = 0;

protected:
    ~Gateway() = default;
};

// The network itself, as whoever starts the helper brings it.
class Network : public Equipment {
public:
    // Carries messages between this machine and the others until the job is over on all.
    virtual void carry(Gateway& gateway) = 0;

protected:
    ~Network() = default;
};

} // namespace parley::messaging

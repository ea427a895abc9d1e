// SPDX-License-Identifier: MIT
// A job's message system as its callers see it: the methods of the `messages` proxies
// (kernel/interface/proxies.h), called by the kernel on behalf of a process, or by the process itself in the
// user-level library. `caller` is the index of the calling process among the job's endpoints; nothing that a
// caller passes can change who it is.
#pragma once

#include "kernel/base/result.hpp"
#include "messaging/envelope.hpp"
#include "messaging/reply.hpp"
#include "messaging/wait_record.hpp"

#include <cstddef>
#include <span>

namespace parley::messaging {

inline constexpr long watch_off = 0;
inline constexpr long watch_armed = -1;

// What becomes of messages that nobody has received.
enum class Waiting : std::uint8_t { kept, dropped };

// One process's end of it: what its calls leave behind for their callers.
struct Endpoint {
    // What the last send was about that has answered with something else than 0.
    SendArguments unsent;
    // Where the bytes are of what receive_block has found last.
    UserAddress block;
};

using SendEntry = long (*)(Endpoint& endpoint, long type, UserAddress buffer, long length, long node,
                           std::uint64_t to);

// The calls of one process whose price counts, bound once, so that each is a jump to where it is done.
struct Calls {
    Endpoint* endpoint;
    // 0, or minus an Error; or, where csend waits for its delivery and a handler of the caller's is due, the
    // id of the request that is left of the call, to be waited for. Its arguments are those of SendArguments,
    // in registers.
    SendEntry send;
    Found (*receive)(Endpoint& endpoint, const ReceiveArguments& arguments);
    Found (*receive_block)(Endpoint& endpoint, const ReceiveArguments& arguments);
};

class MessageSystem {
public:
    // They are the same as long as the system exists.
    virtual Calls calls_of(unsigned caller) = 0;

    virtual Result<Reply> start_send(unsigned caller, const SendArguments& arguments) = 0;
    virtual Result<Reply> start_receive(unsigned caller, const ReceiveArguments& arguments) = 0;
    virtual Result<Reply> done(unsigned caller, long id) = 0;
    virtual Result<Reply> wait(unsigned caller, long id) = 0;
    virtual Result<Reply> cancel(unsigned caller, long id) = 0;
    virtual Result<Reply> probe(unsigned caller, const ReceiveArguments& arguments, bool may_wait) = 0;
    // id > 0: the end of this request shall interrupt its owner; watch_armed or watch_off: whether such ends
    // interrupt now. Each arming gives one interruption: platform::notify(), and Error::interrupted from
    // waits.
    virtual Result<Reply> watch(unsigned caller, long id) = 0;
    virtual Result<Reply> allocate(unsigned caller, long bytes, long alignment) = 0;
    virtual Result<Reply> release(unsigned caller, UserAddress block) = 0;

    // The life of a delivery process: returns when all processes of the job have ended, or it must end
    // itself.
    virtual Result<void> deliver(unsigned carrier) = 0;
    // A process that ends normally waits until the buffers it has lent have been copied.
    virtual Result<void> linger(unsigned caller) = 0;
    // The process is no more: all that it held is released, what was sent to it is discarded. Never waits
    // long.
    virtual void close(unsigned endpoint, EndpointState how) = 0;

    // The program of this place has been ended by another: what it held is released, and the place is as
    // before its first program. What was sent to it stays for the next one, or is discarded.
    virtual void vacate(unsigned endpoint, Waiting messages) = 0;
    // Another program begins in a place that was closed or vacated.
    virtual void open(unsigned endpoint) = 0;
    // The pid that this endpoint's process is known as. Errors: bad_process, pid_in_use.
    virtual Result<void> set_pid(unsigned endpoint, std::int32_t pid) = 0;

    virtual std::span<const WaitRecord> records() const = 0;
    // After all endpoints have been closed: what is still allocated (0 when all is well).
    virtual std::size_t leaks() const = 0;

protected:
    ~MessageSystem() = default;
};

} // namespace parley::messaging

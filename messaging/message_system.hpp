// SPDX-License-Identifier: MIT
// A job's message system as those see it who keep its processes: the kernel, or the user-level library on
// behalf of the processes themselves. It gives each process the table of its calls, and is told of what
// becomes of the process. Processes go by the index of their endpoints. Of a process that is away
// (Transport::is_away) it is told what becomes of it, and is asked for nothing else.
#pragma once

#include "base/result.hpp"
#include "messaging/message/envelope.hpp"
#include "messaging/reply.hpp"
#include "messaging/wait_record.hpp"

#include <cstddef>
#include <span>

namespace parley::messaging {

class Equipment;

// What becomes of messages that nobody has received.
enum class Waiting : std::uint8_t { kept, dropped };

class MessageSystem {
public:
    // The message calls of this process, which makes them itself or the kernel for it (interface).
    // They are the same as long as the system exists.
    virtual parley_calls calls_of(unsigned caller) = 0;

    // The life of a delivery process: returns when all processes of the job have ended, or it must end
    // itself. `equipment`: what it works with that is not the message system's, or null (transport.hpp).
    virtual Result<void> deliver(unsigned helper, Equipment* equipment) = 0;
    // A process that ends normally waits until the buffers it has lent have been copied.
    virtual Result<void> drain(unsigned caller) = 0;
    // The process is no more: releases all that it held, and discards what was sent to it. This never waits
    // long.
    virtual void close(unsigned endpoint, EndpointState how) = 0;

    // The program of this place has been ended by another: what it held is released, and the place is as
    // before its first program. What was sent to it stays for the next one, or is discarded.
    virtual void reset(unsigned endpoint, Waiting messages) = 0;
    // Another program begins in a place that was closed or reset.
    virtual void open(unsigned endpoint) = 0;
    // Sets the pid that this endpoint's process is known as. Errors: bad_process, pid_in_use.
    virtual Result<void> set_pid(unsigned endpoint, std::int32_t pid) = 0;

    // The wait records, by endpoint; whoever looks reads `epoch` first (wait_record.hpp).
    virtual std::span<const WaitRecord> records() const = 0;
    // After all endpoints have been closed: what is still allocated (0 when all is well).
    virtual std::size_t leaks() const = 0;

protected:
    ~MessageSystem() = default;
};

} // namespace parley::messaging

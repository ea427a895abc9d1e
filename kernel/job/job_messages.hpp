// SPDX-License-Identifier: MIT
// A job's message system as the kernel deals with it, wherever it lives (location.hpp). Programs reach it by
// the `messages` proxies or by the user-level library; here is what the kernel does for processes that begin
// and end, and what the monitor of waits may look at.
#pragma once

#include "messaging/message_system.hpp"

#include <cstddef>

namespace parley::kernel {

class Job;
class UserProcess;

class JobMessages {
public:
    // Gives a process its way into the system, before its first instruction.
    virtual void introduce(UserProcess& process) = 0;

    // As the methods of messaging::MessageSystem. Where the processes themselves run the system, they and
    // those who load and kill them do all this, and there is nothing to do.
    virtual void open(unsigned endpoint) = 0;
    // Errors: bad_process, pid_in_use.
    virtual Result<void> set_pid(unsigned endpoint, int pid) = 0;
    // Errors: killed.
    virtual Result<void> drain(unsigned endpoint) = 0;
    virtual void close(unsigned endpoint, messaging::EndpointState how) = 0;
    virtual void reset(unsigned endpoint, messaging::Waiting messages) = 0;

    // A process that must end has been found in the system's code that it runs itself, and is to give up its
    // waits; or it has ended.
    virtual void note_departing(bool begins) = 0;

    // Whether helpers end by themselves when no program of the job runs and none will, though places have
    // stayed empty; otherwise they are told to.
    virtual bool helpers_see_the_end() const = 0;
    // After all have ended: how many objects are still allocated.
    virtual std::size_t leaks() const = 0;

    // Where the array of records begins, in the addresses of those who run the system.
    virtual std::uintptr_t records_address() const = 0;
    // The record of an endpoint, or null while nobody has made it. Single words of it may be read, whatever
    // a program has written there.
    virtual const messaging::WaitRecord* record(unsigned endpoint) = 0;
    // What lies at an address that the system keeps, or null: nothing of the job's that can be read safely.
    virtual const void* view(const void* address, std::size_t bytes, std::size_t alignment) = 0;

protected:
    ~JobMessages() = default;
};

} // namespace parley::kernel

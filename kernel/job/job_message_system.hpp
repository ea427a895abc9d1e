// SPDX-License-Identifier: MIT
// A job's message system as the kernel deals with it, wherever it lives (location.hpp). Programs reach it by
// the `messages` proxies or by the user-level library; here is what the kernel does for processes that begin
// and end, and what the monitor of waits may look at.
#pragma once

#include "kernel/job/message_records.hpp"
#include "messaging/message_system.hpp"

#include <cstddef>

namespace parley::kernel {

class UserProcess;

class JobMessageSystem {
public:
    // `system`: the kernel's object; null where the processes themselves run the system. Then they, and
    // those who load and kill them, do all that the first methods do, and there is nothing to do here. Both
    // outlive this.
    JobMessageSystem(MessageRecords& records, messaging::MessageSystem* system)
        : records_(records), system_(system)
    {
    }
    JobMessageSystem(const JobMessageSystem&) = delete;

    // Gives a process its way into the system, before its first instruction.
    void introduce(UserProcess& process);
    // As the methods of messaging::MessageSystem.
    void open(unsigned endpoint);
    // Errors: bad_process, pid_in_use.
    Result<void> set_pid(unsigned endpoint, int pid);
    // Errors: killed.
    Result<void> drain(unsigned endpoint);
    void close(unsigned endpoint, messaging::EndpointState how);
    void reset(unsigned endpoint, messaging::Waiting messages);
    // How many objects are still allocated. Called when all processes have ended.
    std::size_t leaks() const;

    // Whether helpers end by themselves when no program of the job runs and none will; otherwise they are
    // told to. In the library they see which of so many endpoints of programs were closed: those of places
    // that stayed empty, and of programs that never entered it, are not.
    bool helpers_see_the_end(unsigned programs) const;

    // As the methods of MessageRecords.
    void note_departing(bool begins) { records_.note_departing(begins); }
    std::uintptr_t records_address() const { return records_.records_address(); }
    const messaging::WaitRecord* record(unsigned endpoint) { return records_.record(endpoint); }
    const void* view(const void* address, std::size_t bytes, std::size_t alignment)
    {
        return records_.view(address, bytes, alignment);
    }

private:
    MessageRecords& records_;
    messaging::MessageSystem* const system_;
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What the kernel may look at of a job's message system, and the one thing that it tells whoever runs it.
// Each place where a system can live has a leaf of its own (kernel/job/system_home/).
#pragma once

#include "messaging/wait_record.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::kernel {

class MessageRecords {
public:
    // Where the array of records begins, in the addresses of those who run the system.
    virtual std::uintptr_t records_address() const = 0;
    // The record of an endpoint, or null while nobody has made it. Single words of it may be read, whatever
    // a program has written there.
    virtual const messaging::WaitRecord* record(unsigned endpoint) = 0;
    // What lies at an address that the system keeps, or null: nothing of the job's that can be read safely.
    virtual const void* view(const void* address, std::size_t bytes, std::size_t alignment) = 0;
    // A process that must end has been found in the system's code that it runs itself, and is to give up its
    // waits; or it has ended.
    virtual void note_departing(bool begins) = 0;

protected:
    ~MessageRecords() = default;
};

} // namespace parley::kernel

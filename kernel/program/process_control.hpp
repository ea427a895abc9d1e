// SPDX-License-Identifier: MIT
// What the Linux calls need of the process that makes them and of its surroundings; the kernel's processes
// implement it.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string_view>

namespace parley::kernel {

class ProcessControl {
public:
    [[noreturn]] virtual void exit(int status) = 0;
    // Ends the process with one clear line.
    [[noreturn]] virtual void fail(std::string_view sentence) = 0;
    // The value is an address of user space.
    virtual void set_thread_pointer(std::uintptr_t value) = 0;
    virtual std::uint64_t nanoseconds() = 0; // since boot
    // Error::killed when the process must end, Error::interrupted when a message handler is due.
    virtual Result<void> sleep_until(std::uint64_t nanoseconds) = 0;
    virtual void yield() = 0;
    // Long calls pass one between pieces of some microseconds: others get the processor if it is their turn.
    // Error::killed when the process must end.
    virtual Result<void> preemption_point() = 0;
    virtual int process_id() = 0;
    // Notes for the record a Linux call that is not in the table.
    virtual void note_unknown_call(long number) = 0;

protected:
    ~ProcessControl() = default;
};

} // namespace parley::kernel

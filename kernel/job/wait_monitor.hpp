// SPDX-License-Identifier: MIT
// Watches what a job's processes wait for, whether they spin or block, and finds out when none can ever go
// on. Called from the tick.
#pragma once

#include "kernel/job/job_messages.hpp"

#include <cstddef>

namespace parley::kernel {

class Cube;
class UserProcess;

class WaitMonitor {
public:
    // From now on it watches the first `count` endpoints.
    void watch(JobMessages& messages, unsigned count, std::string_view job);
    // The processes of the first endpoints, in their order: those that run programs. The cube knows which of
    // them do now.
    void know(const Cube& cube, UserProcess* const* programs, unsigned count);
    // True, after a report of who waits for what, when every process waits and none has been signalled since
    // it looked.
    bool nobody_can_go_on();

private:
    static constexpr std::size_t max_processes = 80;

    const UserProcess* program(unsigned index) const
    {
        return index < program_count_ ? programs_[index] : nullptr;
    }
    bool elsewhere(const UserProcess& process, std::uint32_t& epoch) const;
    bool has_handler_due(const UserProcess& process) const;
    bool all_wait(std::uint32_t (&epochs)[max_processes]);
    void report();
    void report_left();
    void report_queue(const messaging::WaitRecord& record);

    JobMessages* messages_ = nullptr;
    std::uintptr_t records_ = 0; // debuggers look here
    unsigned count_ = 0;
    const Cube* cube_ = nullptr;
    UserProcess* const* programs_ = nullptr;
    unsigned program_count_ = 0;
    std::string_view job_;
};

} // namespace parley::kernel

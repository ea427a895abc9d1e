// SPDX-License-Identifier: MIT
// Watches what a job's processes wait for, whether they spin or block, and finds out when none can ever go
// on. Called from the tick.
#pragma once

#include "kernel/job/job_messages.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace parley::kernel {

class Cube;
class UserProcess;

class WaitMonitor {
public:
    // From now on it watches the first endpoints: as many as it has two words each for, to remember what it
    // saw.
    void watch(JobMessages& messages, std::span<std::uint32_t> words, std::string_view job);
    // The processes of the first endpoints, in their order: those that run programs. The cube knows which of
    // them do now.
    void know(const Cube& cube, UserProcess* const* programs, unsigned count);
    // True, after a report of who waits for what, when every process waits and none has been signalled since
    // it looked.
    bool nobody_can_go_on();

private:
    const UserProcess* program(unsigned index) const
    {
        return index < program_count_ ? programs_[index] : nullptr;
    }
    bool elsewhere(const UserProcess& process, std::uint32_t& epoch) const;
    bool has_handler_due(const UserProcess& process) const;
    bool all_wait(std::span<std::uint32_t> epochs);
    void report();
    void report_left();
    void report_queue(const messaging::WaitRecord& record);

    JobMessages* messages_ = nullptr;
    std::uintptr_t records_ = 0; // debuggers look here
    unsigned count_ = 0;
    std::span<std::uint32_t> first_, second_; // epochs, of the two looks
    const Cube* cube_ = nullptr;
    UserProcess* const* programs_ = nullptr;
    unsigned program_count_ = 0;
    std::string_view job_;
};

} // namespace parley::kernel

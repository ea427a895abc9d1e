// SPDX-License-Identifier: MIT
// Watches what a job's processes wait for, whether they spin or block: finds out when none can ever go on,
// and tells what each was doing when the job's limit ends it. Called from the tick, but for what says
// otherwise.
#pragma once

#include "jobs/roster.hpp"
#include "jobs/wait_view.hpp"
#include "kernel/job/job_message_system.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace parley::kernel {

class UserProcess;

class WaitMonitor final : jobs::ViewedSystem {
public:
    static constexpr unsigned words_each = 2; // of an endpoint, to remember what it saw

    // From now on the monitor watches the first endpoints: as many as it has words for.
    void watch(JobMessageSystem& messages, std::span<std::uint32_t> words, std::string_view job);
    // The processes of the first endpoints, in their order: those that run programs. The roster says which of
    // them do now.
    void know(const jobs::Roster& roster, std::span<UserProcess* const> programs);
    // True: every process waits, and none has been signalled since it looked; and the same was true at the
    // last call. Then this has reported who waits for what.
    bool nobody_can_go_on();
    // One look at the programs of this machine alone, which are not all of the job's. Called by anybody who
    // runs here.
    jobs::Look look_at_programs() const;
    // No process of the job can ever go on. Tells what each process of this machine waits for; if `head`,
    // says first that none can go on. Called by the helper of each machine of a job on several.
    void report_deadlock(bool head);
    // Remembers since when processes wait: a few at each call, all of them in turn. In nanoseconds since
    // boot.
    void observe(std::uint64_t now);

    // The job's processes will be killed, since its limit has come. Tells what each process that waits is
    // waiting for, and for how long; the others tell what they were doing when they end.
    void report_limit(std::uint64_t now);
    // Whether this process, which ends because it was killed, did not wait when the limit came, so that it
    // tells now what it was doing. Called by that process.
    bool leaves_telling(const UserProcess& process) const;

private:
    const void* view(const void* address, std::size_t bytes, std::size_t alignment) override;
    void tell(std::string_view lines) override;

    UserProcess* program(unsigned index) const
    {
        return index < programs_.size() ? programs_[index] : nullptr;
    }
    jobs::Seen see(unsigned index) const;
    bool is_here(const UserProcess& process) const;
    jobs::Seen see_program(UserProcess& process, const messaging::WaitRecord* record) const;
    jobs::Seen see_first_thread(const UserProcess& process, const messaging::WaitRecord* record) const;
    jobs::Look look() const;
    void begin_line(TextWriter& line, unsigned index, const messaging::WaitRecord& record) const;
    // Whether the process waits; if so, the report tells for what.
    bool report_wait(jobs::WaitReport& report, unsigned index);
    bool report_p(jobs::WaitReport& report, unsigned index);
    bool report_threads(unsigned index);
    // The status with which the program there has ended; none: it has not, or it ran on another machine.
    std::optional<int> left_with(unsigned index) const;
    void report_left();

    JobMessageSystem* messages_ = nullptr;
    std::uintptr_t records_ = 0; // debuggers look here
    unsigned count_ = 0;
    jobs::TwoLooks looks_;
    std::span<std::uint32_t> seen_, since_; // the last epoch that was observed, and when: in milliseconds
    unsigned next_ = 0;                     // to be observed
    std::uint64_t limit_came_ = 0;          // in nanoseconds; 0: not yet
    Atomic<bool> at_limit_{false};
    const jobs::Roster* roster_ = nullptr;
    std::span<UserProcess* const> programs_;
    std::string_view job_;
};

} // namespace parley::kernel

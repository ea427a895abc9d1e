// SPDX-License-Identifier: MIT
// The processes of a job, by endpoint: those that run programs, then the message system's helpers; after
// those with endpoints come the policy processes of its semaphores. The list is complete before the first of
// them runs, and never changes.
#pragma once

#include <cstddef>
#include <span>

namespace parley::kernel {

class UserProcess;

class JobProcesses {
public:
    // No processes: a job that has none yet.
    JobProcesses() = default;
    // The lists outlive this. `here`: those of `list` that run on this machine. Programs are no more than
    // endpoints, and these no more than processes.
    JobProcesses(std::span<UserProcess* const> list, std::span<UserProcess* const> here, unsigned programs,
                 unsigned endpoints)
        : list_(list), here_(here), programs_(programs), endpoints_(endpoints)
    {
    }

    std::size_t size() const { return list_.size(); }
    // These three leave out the processes that run on other machines.
    auto begin() const { return here_.begin(); }
    auto end() const { return here_.end(); }
    std::size_t count_here() const { return here_.size(); }
    UserProcess& operator[](unsigned index) const { return *list_[index]; }
    // Null: there is no such process.
    UserProcess* find(unsigned index) const { return index < list_.size() ? list_[index] : nullptr; }
    // Null: no process with that endpoint runs programs.
    UserProcess* find_program(unsigned endpoint) const
    {
        return endpoint < programs_ ? find(endpoint) : nullptr;
    }

    unsigned programs() const { return programs_; }
    unsigned endpoints() const { return endpoints_; }
    std::span<UserProcess* const> with_programs() const { return list_.first(programs_); }

private:
    std::span<UserProcess* const> list_, here_;
    unsigned programs_ = 0;
    unsigned endpoints_ = 0;
};

} // namespace parley::kernel

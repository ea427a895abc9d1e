// SPDX-License-Identifier: MIT
// A gang: a placeholder in the system's ready queue for processes that must run all at the same time, one to
// a processor. It is scheduled but never run (paper section 3.2). Times are of the clock that the system
// scheduler was given.
#pragma once

#include "kernel/base/intrusive_list.hpp"
#include "sched/server_set.hpp"

#include <atomic>
#include <cstdint>

namespace parley::sched {

class ReadyQueue;
class Process;

// When a gang passed each station; 0: not yet.
struct GangTimes {
    std::uint64_t scheduled = 0; // queued
    std::uint64_t begun = 0;     // the first processor came to it
    std::uint64_t collected = 0; // the last one did
    std::uint64_t ended = 0;
};

class Gang {
public:
    static constexpr unsigned max_members = 64;

    explicit Gang(ReadyQueue& queue) : queue_(queue) { }
    Gang(const Gang&) = delete;

    // Before it is scheduled. The caller keeps within max_members.
    void add(Process& member);

    unsigned size() const { return size_; }
    // How many processors it takes: one for each member, or fewer when the members block and so can share.
    unsigned wanted() const { return wanted_ < size_ ? wanted_ : size_; }
    void want_at_most(unsigned processors) { wanted_ = processors; }
    Process& operator[](unsigned index) const { return *members_[index]; }
    // Where its members wait for a processor.
    ReadyQueue& queue() const { return queue_; }

    GangTimes times;
    Link link; // in the system's queue

    // Kept by the system scheduler while the gang collects and holds processors.
    Server* processors[max_members] = {};
    unsigned processor_count = 0;
    std::atomic<unsigned> living{0};

private:
    ReadyQueue& queue_;
    Process* members_[max_members] = {};
    unsigned size_ = 0;
    unsigned wanted_ = max_members;
};

} // namespace parley::sched

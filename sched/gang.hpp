// SPDX-License-Identifier: MIT
// A gang stands in the system's ready queue for processes that must all run at the same time, each on its
// own processor. It is scheduled but never run (paper section 3.2). Its times are those of the clock that
// the system scheduler was given.
#pragma once

#include "base/atomic.hpp"
#include "sched/process.hpp"
#include "sched/server_set.hpp"

#include <cstdint>

namespace parley::sched {

class ReadyQueue;

// The times of a gang's steps; 0: not yet.
struct GangTimes {
    std::uint64_t scheduled = 0; // queued
    std::uint64_t begun = 0;     // the first processor came to it
    std::uint64_t collected = 0; // the last one did
    std::uint64_t ended = 0;
};

class Gang {
public:
    using Members = List<Process, &Process::gang_link>;

    explicit Gang(ReadyQueue& queue) : queue_(queue) { }
    Gang(const Gang&) = delete;

    // Before it is scheduled.
    void add(Process& member);

    // How many members it has. This does not change once it has been scheduled.
    unsigned size() const { return size_; }
    // How many processors it takes: one for each member, or fewer when any of them may run any member.
    unsigned wanted() const { return wanted_ < size_ ? wanted_ : size_; }
    void want_at_most(unsigned processors) { wanted_ = processors; }
    // The members, in the order of their numbers.
    Process* first() const { return members_.first(); }
    Process* after(const Process& member) const { return members_.after(member); }
    // Where its members wait for a processor.
    ReadyQueue& queue() const { return queue_; }

    GangTimes times;
    Link link; // in the system's queue

    // Kept by the system scheduler while the gang collects and holds processors.
    Server* processors[ServerSet::capacity] = {};
    unsigned processor_count = 0;
    Atomic<unsigned> living{0};

private:
    ReadyQueue& queue_;
    Members members_;
    unsigned size_ = 0;
    unsigned wanted_ = ServerSet::capacity;
};

} // namespace parley::sched

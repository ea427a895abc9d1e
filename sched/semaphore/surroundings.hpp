// SPDX-License-Identifier: MIT
// What semaphores need from the system that they are part of: the time, and a store for the pages of
// processes that wait.
#pragma once

#include "base/atomic.hpp"
#include "sched/semaphore/counter.hpp"

#include <cstdint>

namespace parley::sched {

class SemaphoreClock {
public:
    virtual std::uint64_t nanoseconds() = 0;
    // The caller sleeps until that time, or until `closed`, which may be noticed a tick late. False: the
    // caller must end.
    virtual bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& closed) = 0;

protected:
    ~SemaphoreClock() = default;
};

// Where the dirty pages of waiting processes go. Policy processes call it, one at a time for each process.
// A call may take as long as a disk takes.
class BackingStore {
public:
    // Answers how many were written.
    virtual unsigned write_back(unsigned process) = 0;
    // Answers how many were read.
    virtual unsigned bring_back(unsigned process) = 0;

protected:
    ~BackingStore() = default;
};

// A store that only counts pages: every waiting process has one dirty page, and writing it takes no time.
class CountedStore final : public BackingStore {
public:
    static constexpr unsigned pages_of_each = 1;

    unsigned write_back(unsigned) override { return pages_of_each; }
    unsigned bring_back(unsigned) override { return pages_of_each; }
};

struct SemaphoreSurroundings {
    SemaphoreClock& clock;
    BackingStore& store;
    SemaphoreCounts& counts;
};

} // namespace parley::sched

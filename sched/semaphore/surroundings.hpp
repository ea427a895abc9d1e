// SPDX-License-Identifier: MIT
// What semaphores ask of the system that they are part of: time, and a place for the pages of processes that
// wait.
#pragma once

#include "base/atomic.hpp"
#include "sched/semaphore/counter.hpp"

#include <cstdint>

namespace parley::sched {

class SemaphoreClock {
public:
    virtual std::uint64_t nanoseconds() = 0;
    // Sleep until that time, or until `closed`, which may be noticed a tick late. False: the caller must end.
    virtual bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& closed) = 0;
    // A policy process has taken up a request from that queue of its module. Where time is simulated, it goes
    // by here; a real processor's has.
    virtual void spend_on_request(unsigned) { }
    // The same, of one of several processes that a V, or one of these, has made to go on.
    virtual void spend_on_wake() { }

protected:
    ~SemaphoreClock() = default;
};

// Where the dirty pages of waiting processes go. Called by policy processes, one at a time for each process;
// may take as long as a disk takes.
class BackingStore {
public:
    // How many were written.
    virtual unsigned write_back(unsigned process) = 0;
    // How many were read.
    virtual unsigned bring_back(unsigned process) = 0;

protected:
    ~BackingStore() = default;
};

// A stand-in: counts pages, of which every waiting process has one that is dirty, and takes no time.
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

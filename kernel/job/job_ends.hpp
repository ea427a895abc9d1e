// SPDX-License-Identifier: MIT
// The ends of jobs, as the main process waits for them: of one job, or of any of those that run together.
#pragma once

#include "sched/wait_table.hpp"

#include <atomic>
#include <cstdint>

namespace parley::kernel {

class JobEnds {
public:
    explicit JobEnds(sched::WaitTable& waits) : waits_(waits) { }
    JobEnds(const JobEnds&) = delete;

    // Returns when an end has made the condition true. Called by the main process.
    template <class Condition>
    void await(const Condition& condition)
    {
        for (;;) {
            const unsigned seen = count_.load(std::memory_order_acquire);
            if (condition())
                return;
            waits_.block(key(), [&] { return count_.load(std::memory_order_acquire) == seen; });
        }
    }

    // A job has ended. Called by the last of its processes.
    void tell()
    {
        count_.fetch_add(1, std::memory_order_release); // pairs with the acquires of await()
        waits_.wake(key(), 1);
    }

private:
    sched::WaitKey key() const { return {reinterpret_cast<std::uint64_t>(&count_), 0}; }

    sched::WaitTable& waits_;
    std::atomic<unsigned> count_{0}; // so far
};

} // namespace parley::kernel

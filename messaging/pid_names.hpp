// SPDX-License-Identifier: MIT
// Pids that programs have chosen for themselves. The processes of all nodes that belong together form a row;
// a row's number is always one of its pids, and it may have one more.
#pragma once

#include "base/atomic.hpp"
#include "base/result.hpp"
#include "interface/limits.h"

#include <cstdint>

#include "platform.hpp"

namespace parley::messaging {

class PidNames {
public:
    // The first endpoint of the row with that pid, in a job of that many nodes. Errors: bad_process.
    Result<unsigned> find(std::int32_t pid, unsigned nodes) const
    {
        for (unsigned row = 0; row < max_rows; ++row)
            if (pids_[row].load(std::memory_order_acquire) == marked(pid) && pid >= 0)
                return row * nodes;
        return std::unexpected(Error::bad_process);
    }

    // Gives a row its one more pid; `rows`: of the job. Of several rows that want the same pid at once, one
    // gets it: to look whether it is free and to take it are one step. The system's owner calls this (the
    // kernel with interrupts off, or nxrun), so whoever is about it does not end or lose its processor.
    // Errors: pid_in_use, by another row.
    Result<void> set(unsigned row, std::int32_t pid, unsigned rows)
    {
        if (static_cast<unsigned>(pid) == row)
            return {};
        const Changing changing(is_changing_);
        for (unsigned other = 0; other < rows; ++other)
            if (other != row && pids_[other].load(std::memory_order_acquire) == marked(pid))
                return std::unexpected(Error::pid_in_use);
        if (static_cast<unsigned>(pid) < rows)
            return std::unexpected(Error::pid_in_use);
        pids_[row].store(marked(pid), std::memory_order_release);
        return {};
    }

private:
    static constexpr unsigned max_rows = PARLEY_MAX_PIDS;

    // While it lives, nobody else changes a pid. Readers see the change of one word.
    class Changing {
    public:
        explicit Changing(Atomic<std::uint32_t>& word) : word_(word)
        {
            while (word_.exchange(1, std::memory_order_acquire) != 0) // pairs with the release below
                platform::pause();
        }
        ~Changing() { word_.store(0, std::memory_order_release); }
        Changing(const Changing&) = delete;

    private:
        Atomic<std::uint32_t>& word_;
    };

    // A pid as the table has it, where 0 is none.
    static std::uint32_t marked(std::int32_t pid) { return static_cast<std::uint32_t>(pid) + 1; }

    Atomic<std::uint32_t> is_changing_{0};
    Atomic<std::uint32_t> pids_[max_rows] = {};
};

} // namespace parley::messaging

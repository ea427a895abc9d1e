// SPDX-License-Identifier: MIT
// The times that fixed-head disks like C.mmp's take. A page fills a track, so one revolution reads it
// wherever the disk is, and two write it and check it by reading. A disk serves one request after another.
// Each process always has the same disk.
#pragma once

#include "base/leaf_argument.hpp"
#include "base/spin_lock.hpp"

#include <cstdint>
#include <string_view>

namespace parley::sched {

class FixedHeadDisks {
public:
    static constexpr std::string_view name = "fixed-head";
    static constexpr std::string_view promise =
        "a page is read in a revolution, and written and checked in two; a request waits for those before it";
    static constexpr unsigned most_disks = 64;
    static constexpr LeafArgument arguments[] = {
        {"rotation", "of a revolution", units::duration, 0, 1'000'000'000, 16'670'000},
        {"disks", "disks that processes are spread over", units::number, 1, most_disks, 4},
    };

    // With a rotation of 0, pages take no time.
    FixedHeadDisks(std::uint64_t rotation, unsigned disks) : rotation_(rotation), disks_(disks) { }
    explicit FixedHeadDisks(const LeafValues& values)
        : FixedHeadDisks(values[0], static_cast<unsigned>(values[1]))
    {
    }

    // The time at which so many pages of a process have been written, or read, if the request comes at
    // `now`. In nanoseconds of any clock. Any process may call it.
    std::uint64_t written_at(unsigned process, unsigned pages, std::uint64_t now)
    {
        return done_at(process, 2 * pages * rotation_, now);
    }
    std::uint64_t read_at(unsigned process, unsigned pages, std::uint64_t now)
    {
        return done_at(process, pages * rotation_, now);
    }

private:
    std::uint64_t done_at(unsigned process, std::uint64_t takes, std::uint64_t now)
    {
        LockGuard guard(lock_);
        std::uint64_t& free_at = free_at_[process % disks_];
        free_at = (free_at > now ? free_at : now) + takes;
        return free_at;
    }

    const std::uint64_t rotation_;
    const unsigned disks_;
    SpinLock lock_;
    std::uint64_t free_at_[most_disks] GUARDED_BY(lock_) = {};
};

} // namespace parley::sched

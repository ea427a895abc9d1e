// SPDX-License-Identifier: MIT
// The times that fixed-head disks like C.mmp's take. A page fills a track, so one revolution reads it
// wherever the disk is, and two write it and check it by reading. A disk serves one request after another.
// Each process always has the same disk.
#pragma once

#include "base/spin_lock.hpp"

#include <cstdint>

namespace parley::cmmp {

class FixedHeadDisks {
public:
    static constexpr unsigned most = 64;

    // `disks`: 1 to most. With a rotation of 0, pages take no time.
    FixedHeadDisks(std::uint64_t rotation, unsigned disks) : rotation_(rotation), disks_(disks) { }

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
    std::uint64_t free_at_[most] GUARDED_BY(lock_) = {};
};

} // namespace parley::cmmp

// SPDX-License-Identifier: MIT
// The one blocking primitive: a process sleeps on a word until somebody wakes the word's sleepers. Everything
// that blocks (semaphores, the message system's waits, sleeping for a time) is built on it. The caller has
// interrupts off and holds no lock.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/process.hpp"

namespace parley::sched {

// A word's name: its address, and the space that the address belongs to (0: the kernel's; otherwise a
// number for each job).
struct WaitKey {
    std::uint64_t address;
    std::uint64_t space;
    bool operator==(const WaitKey&) const = default;
};

struct WaitBucket {
    SpinLock lock;
    List<Process, &Process::wait_link> sleepers GUARDED_BY(lock);
};

class WaitTable {
public:
    // The caller sleeps until it is woken, unless still_wanted() is false. still_wanted() is called under the
    // word's lock, so a waker that changes the word and then calls wake() cannot be missed: either
    // still_wanted() sees the change, or wake() sees the sleeper. False: the process has been killed.
    template <class StillWanted>
    bool block(WaitKey key, const StillWanted& still_wanted)
    {
        WaitBucket& bucket = bucket_of(key);
        bucket.lock.acquire();
        if (still_wanted()) [[likely]]
            return sleep(bucket, key);
        bucket.lock.release();
        return !killed();
    }

    // Wakes up to `count` sleepers of the word, the oldest first, and answers how many it has woken.
    unsigned wake(WaitKey key, unsigned count)
    {
        return count == 1 ? wake_one(key) : wake_several(key, count);
    }
    // Wakes this process, which has been killed or is to look again, wherever it sleeps. False: it sleeps
    // nowhere.
    bool interrupt(Process& process);

private:
    static constexpr std::size_t bucket_count = 64;

    WaitBucket& bucket_of(WaitKey key)
    {
        return buckets_[((key.address >> 6) ^ (key.address >> 12) ^ key.space) % bucket_count];
    }
    unsigned wake_one(WaitKey key);
    unsigned wake_several(WaitKey key, unsigned count);
    static bool killed();
    static void no_longer_sleeps(WaitBucket& bucket, Process& process) REQUIRES(bucket.lock);
    static bool sleep(WaitBucket& bucket, WaitKey key) RELEASE(bucket.lock);

    WaitBucket buckets_[bucket_count];
};

} // namespace parley::sched

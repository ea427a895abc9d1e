// SPDX-License-Identifier: MIT
// Sleeping on words by P and V, so that a kind of semaphores can be the Synchronization of a message
// system. A process that sleeps waits in P of a semaphore of its own, and the one that wakes it makes the
// V. A V for a sleeper that has been killed meanwhile stays in its semaphore and ends the next sleep
// early, which is allowed.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/semaphore/semaphore.hpp"

#include <cstdint>

namespace parley::sched {

// A process that sleeps on one word at a time. Only the process itself and WordWaits use it.
class WordSleeper {
public:
    WordSleeper(unsigned process, SemaphoreCounts& counts) : waiter_(process), semaphore_(process, 0, counts)
    {
    }
    WordSleeper(const WordSleeper&) = delete;

private:
    friend class WordWaits;
    SemaphoreWaiter waiter_;
    Counter semaphore_;
    Link link_; // these two: guarded by the lock of the word's bucket
    std::uintptr_t word_ = 0;
};

class WordWaits {
    using Sleepers = List<WordSleeper, &WordSleeper::link_>;

public:
    explicit WordWaits(Semaphore& kind) : kind_(kind) { }
    WordWaits(const WordWaits&) = delete;

    // The calling process, whose sleeper this is, sleeps on the word of this address unless still_wanted()
    // is false. still_wanted() is called under the word's lock, so a wake() after a change of the word is
    // not missed. It may return earlier. False: the process must end.
    template <class StillWanted>
    bool block(WordSleeper& self, std::uintptr_t word, const StillWanted& still_wanted)
    {
        Bucket& bucket = bucket_of(word);
        {
            LockGuard guard(bucket.lock);
            if (!still_wanted())
                return true;
            self.word_ = word;
            bucket.sleepers.push_back(self);
        }
        const Result<void> slept = kind_.p(self.semaphore_, self.waiter_);
        LockGuard guard(bucket.lock);
        if (self.link_.linked())
            bucket.sleepers.remove(self);
        return slept.has_value();
    }

    // Makes a V for up to so many that sleep on the word, the oldest first, and answers how many there
    // were. Any process may call it. The Vs are made under the lock, so that no sleeper sleeps anew before
    // all have been counted.
    unsigned wake(std::uintptr_t word, unsigned count)
    {
        Bucket& bucket = bucket_of(word);
        LockGuard guard(bucket.lock);
        unsigned found = 0;
        WordSleeper* next = bucket.sleepers.first();
        while (next != nullptr && found < count) {
            WordSleeper& sleeper = *next;
            next = bucket.sleepers.after(sleeper);
            if (sleeper.word_ != word)
                continue;
            ++found;
            bucket.sleepers.remove(sleeper);
            // V fails only where the count is at its limit, and the next sleep ends at once then.
            (void)kind_.v(sleeper.semaphore_);
        }
        return found;
    }

private:
    struct Bucket {
        SpinLock lock;
        Sleepers sleepers GUARDED_BY(lock);
    };
    static constexpr std::size_t bucket_count = 64;

    Bucket& bucket_of(std::uintptr_t word) { return buckets_[((word >> 6) ^ (word >> 12)) % bucket_count]; }

    Semaphore& kind_;
    Bucket buckets_[bucket_count];
};

} // namespace parley::sched

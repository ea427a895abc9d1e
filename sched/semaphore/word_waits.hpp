// SPDX-License-Identifier: MIT
// Sleeping on words by P and V, so that a kind of semaphores can be the Synchronization of a message system:
// who sleeps waits in P of a semaphore of its own, and who wakes does the V. A V that comes for a sleeper
// that has been killed meanwhile stays in its semaphore; it ends the next sleep early, which a sleep may do.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/semaphore/semaphore.hpp"

#include <cstdint>

namespace parley::sched {

// A process that sleeps on one word at a time. Its own but for what WordWaits does with it.
class WordSleeper {
public:
    WordSleeper(unsigned process, SemaphoreCounts& counts) : waiter_(process), semaphore_(process, 0, counts)
    {
    }
    WordSleeper(const WordSleeper&) = delete;

private:
    friend class WordWaits;
    Waiter waiter_;
    Counter semaphore_;
    Link link_; // these two: guarded by the lock of the word's bucket
    std::uintptr_t word_ = 0;
};

class WordWaits {
    using Sleepers = List<WordSleeper, &WordSleeper::link_>;

public:
    explicit WordWaits(Semaphore& kind) : kind_(kind) { }
    WordWaits(const WordWaits&) = delete;

    // Sleeps on the word, which its address names, unless still_wanted() is false: that is asked with the
    // word's lock held, so whoever changes the word and then calls wake() is not missed. By the sleeper's
    // process. May return earlier; false when the process must end.
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

    // V for up to so many that sleep on the word, oldest first; how many there were. By any process. The Vs
    // come with the lock held, so that none of these sleeps anew before all have been counted.
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
            // Only a count at its limit refuses it, and then the next sleep ends at once anyhow.
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

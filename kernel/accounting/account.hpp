// SPDX-License-Identifier: MIT
// What one processor does, since when, and for how long and how often it did what there is to do. That
// processor alone writes it, with interrupts off; any processor reads it meanwhile.
//
// A reader gets the account as it was at one moment. For that it has a version, which is odd while the
// account changes: a reader that finds the same even version before and after all else has read no change.
//   write  S1 the version becomes odd   S2 write the words   S3 the version becomes even, and another one
//   read   R1 read the version   R2 read the words   R3 read the version again
// S3 releases what R1 acquires: the words are no older than the version that R1 has read. S2 releases what R2
// acquires: whoever has read a word of a newer change finds that change's S1 at R3, or what came after it. So
// no barrier stands between S1 and S2, nor between R2 and R3; where all loads acquire and all stores release
// anyway (x86) this costs no instruction.
//
// Invariant, whenever the version is even: all cycles together are the time from begin() until `since`.
#pragma once

#include "base/activity.hpp"
#include "base/architecture.hpp"
#include "base/atomic.hpp"

#include <array>
#include <cstdint>

namespace parley::kernel::accounting {

struct Sums {
    std::array<std::uint64_t, activities> cycles{};
    std::array<std::uint64_t, activities> times{};
};

class Account {
public:
    // These are called by the account's own processor, or by another before the first that any of them is;
    // `now` is the time then.
    void begin(std::uint64_t now) { since_.store(now, std::memory_order_relaxed); }
    // From now on the processor does something else. Answers what it did before.
    Activity change(Activity next, std::uint64_t now)
    {
        const Writing writing(version_);
        return write_change(next, now);
    }
    // Does the same, and counts it.
    Activity enter(Activity next, std::uint64_t now)
    {
        const Writing writing(version_);
        add(word(times_, next), 1);
        return write_change(next, now);
    }
    // The processor holds one more of the kernel's locks, or one less. An account that begins while a lock is
    // held leaves that lock uncounted.
    void lock_taken(std::uint64_t now)
    {
        if (locks_++ == 0)
            before_locks_ = enter(Activity::critical, now);
    }
    void lock_left(std::uint64_t now)
    {
        if (locks_ != 0 && --locks_ == 0)
            change(before_locks_, now);
    }
    // The fault that was counted last, and all time in faults beyond `until_then`, count as a shared fault's.
    void share_fault(std::uint64_t until_then, std::uint64_t now)
    {
        const Writing writing(version_);
        write_change(activity_.load(std::memory_order_relaxed), now);
        const std::uint64_t spent = time_in_faults() - until_then;
        add(word(cycles_, Activity::fault), -spent);
        add(word(cycles_, Activity::shared_fault), spent);
        add(word(times_, Activity::fault), std::uint64_t{0} - 1);
        add(word(times_, Activity::shared_fault), 1);
    }
    std::uint64_t since() const { return since_.load(std::memory_order_acquire); } // as R2
    std::uint64_t time_in_faults() const
    {
        return cycles_[static_cast<unsigned>(Activity::fault)].load(std::memory_order_relaxed);
    }

    // Any processor: the sums at one moment, with what the account's processor did then, until when `clock`
    // says. That is read within the moment where it is ordered before later loads, as R2 is. The account is
    // waited for while it changes, a few instructions.
    template <class Clock>
    Sums sums(const Clock& clock) const
    {
        for (;;) {
            const std::uint32_t version = version_.load(std::memory_order_acquire); // R1
            Sums found;
            for (unsigned at = 0; at < activities; ++at) { // R2
                found.cycles[at] = cycles_[at].load(std::memory_order_acquire);
                found.times[at] = times_[at].load(std::memory_order_acquire);
            }
            const Activity activity = activity_.load(std::memory_order_acquire);
            const std::uint64_t since = since_.load(std::memory_order_acquire);
            const std::uint64_t now = clock();
            if (version % 2 == 0 && version_.load(std::memory_order_relaxed) == version) { // R3
                found.cycles[static_cast<unsigned>(activity)] += now - since;
                return found;
            }
            arch::pause();
        }
    }

private:
    using Word = Atomic<std::uint64_t>;

    // Exists while the account changes.
    class Writing {
    public:
        explicit Writing(Atomic<std::uint32_t>& version)
            : version_(version), even_(version.load(std::memory_order_relaxed))
        {
            version_.store(even_ + 1, std::memory_order_relaxed); // S1
        }
        ~Writing() { version_.store(even_ + 2, std::memory_order_release); } // S3
        Writing(const Writing&) = delete;

    private:
        Atomic<std::uint32_t>& version_;
        const std::uint32_t even_;
    };

    static Word& word(std::array<Word, activities>& each, Activity what)
    {
        return each[static_cast<unsigned>(what)];
    }
    // S2
    static void add(Word& word, std::uint64_t more)
    {
        word.store(word.load(std::memory_order_relaxed) + more, std::memory_order_release);
    }
    Activity write_change(Activity next, std::uint64_t now)
    {
        const Activity before = activity_.load(std::memory_order_relaxed);
        add(word(cycles_, before), now - since_.load(std::memory_order_relaxed));
        since_.store(now, std::memory_order_release);
        activity_.store(next, std::memory_order_release);
        return before;
    }

    alignas(64) Atomic<std::uint32_t> version_{0};
    Atomic<Activity> activity_{Activity::idle};
    Activity before_locks_ = Activity::idle; // this and the next one are for the account's processor alone
    unsigned locks_ = 0;                     // that it holds
    Word since_{0};
    std::array<Word, activities> cycles_, times_;
};

} // namespace parley::kernel::accounting

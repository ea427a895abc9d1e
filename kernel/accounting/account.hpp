// SPDX-License-Identifier: MIT
// What one processor does, since when, and for how long and how often it did what there is to do. That
// processor alone writes it, with interrupts off; any processor reads it meanwhile.
//
// A reader gets the account as it was at one moment (version.hpp).
//
// Invariants, whenever nobody writes: all cycles together are the time from begin() until `since`, and what
// was waited at all sites together is what was waited for locks.
#pragma once

#include "base/activity.hpp"
#include "base/atomic.hpp"
#include "kernel/accounting/lock_waits.hpp"
#include "kernel/accounting/version.hpp"

#include <array>
#include <cstdint>

namespace parley::kernel::accounting {

struct Sums {
    std::array<std::uint64_t, activities> cycles{};
    std::array<std::uint64_t, activities> times{};
};

// An account at one moment.
struct AccountReading {
    Sums sums;
    LockWaitSums lock_waits;
};

class Account {
public:
    // These are called by the account's own processor, or by another before the first that any of them is;
    // `now` is the time then.
    void begin(std::uint64_t now) { since_.store(now, std::memory_order_relaxed); }
    // From now on the processor does something else. Answers what it did before.
    Activity change(Activity next, std::uint64_t now)
    {
        const Version::Writing writing(version_);
        return write_change(next, now);
    }
    // Does the same, and counts it.
    Activity enter(Activity next, std::uint64_t now)
    {
        const Version::Writing writing(version_);
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
    // The processor waits for a lock at the site of that number, and counts it. Answers what it did before.
    Activity begin_lock_wait(unsigned site, std::uint64_t now)
    {
        const Version::Writing writing(version_);
        add(word(times_, Activity::lock_wait), 1);
        add(lock_waits_[site].times, 1);
        waits_at_.store(site, std::memory_order_release);
        if (site >= sites_.load(std::memory_order_relaxed))
            sites_.store(site + 1, std::memory_order_release);
        return write_change(Activity::lock_wait, now);
    }
    // It has the lock.
    void end_lock_wait(Activity next, std::uint64_t now)
    {
        const Version::Writing writing(version_);
        add(lock_waits_[waits_at_.load(std::memory_order_relaxed)].cycles,
            now - since_.load(std::memory_order_relaxed));
        write_change(next, now);
    }
    // The fault that was counted last, and all time in faults beyond `until_then`, count as a shared fault's.
    void share_fault(std::uint64_t until_then, std::uint64_t now)
    {
        const Version::Writing writing(version_);
        write_change(activity_.load(std::memory_order_relaxed), now);
        const std::uint64_t spent = time_in_faults() - until_then;
        add(word(cycles_, Activity::fault), -spent);
        add(word(cycles_, Activity::shared_fault), spent);
        add(word(times_, Activity::fault), std::uint64_t{0} - 1);
        add(word(times_, Activity::shared_fault), 1);
    }
    std::uint64_t since() const { return since_.load(std::memory_order_acquire); }
    std::uint64_t time_in_faults() const
    {
        return cycles_[static_cast<unsigned>(Activity::fault)].load(std::memory_order_relaxed);
    }

    // Any processor: the account at one moment, with what its processor did then, until when `clock` says.
    // That is read within the moment where it is ordered before later loads, as the words are.
    template <class Clock>
    AccountReading read(const Clock& clock) const
    {
        return version_.read([&] {
            AccountReading found;
            for (unsigned at = 0; at < activities; ++at) {
                found.sums.cycles[at] = cycles_[at].load(std::memory_order_acquire);
                found.sums.times[at] = times_[at].load(std::memory_order_acquire);
            }
            const unsigned sites = sites_.load(std::memory_order_acquire);
            for (unsigned site = 0; site < sites; ++site) {
                found.lock_waits[site].cycles = lock_waits_[site].cycles.load(std::memory_order_acquire);
                found.lock_waits[site].times = lock_waits_[site].times.load(std::memory_order_acquire);
            }
            const unsigned waits_at = waits_at_.load(std::memory_order_acquire);
            const Activity activity = activity_.load(std::memory_order_acquire);
            const std::uint64_t since = since_.load(std::memory_order_acquire);
            const std::uint64_t until_now = clock() - since;
            found.sums.cycles[static_cast<unsigned>(activity)] += until_now;
            if (activity == Activity::lock_wait)
                found.lock_waits[waits_at].cycles += until_now;
            return found;
        });
    }

private:
    using Word = Atomic<std::uint64_t>;

    struct LockWaitWords {
        Word cycles{0}, times{0};
    };

    static Word& word(std::array<Word, activities>& each, Activity what)
    {
        return each[static_cast<unsigned>(what)];
    }
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

    alignas(64) Version version_;
    Atomic<Activity> activity_{Activity::idle};
    Activity before_locks_ = Activity::idle; // this and the next one are for the account's processor alone
    unsigned locks_ = 0;                     // that it holds
    Word since_{0};
    std::array<Word, activities> cycles_, times_;
    Atomic<unsigned> waits_at_{0}; // the number of the site where it waits, or has waited last
    Atomic<unsigned> sites_{0};    // all at which it has waited have lower numbers
    std::array<LockWaitWords, LockWaitSites::numbers> lock_waits_;
};

} // namespace parley::kernel::accounting

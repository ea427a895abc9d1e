// SPDX-License-Identifier: MIT
// What one processor does, since when, and for how long and how often it did what there is to do. That
// processor alone writes it, with interrupts off; any processor reads it meanwhile.
//
// A reader gets the account as it was at one moment (version.hpp).
//
// Invariant, whenever nobody writes: all cycles together are the time from begin() until `since`.
#pragma once

#include "base/activity.hpp"
#include "base/atomic.hpp"
#include "kernel/accounting/version.hpp"

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

    // Any processor: the sums at one moment, with what the account's processor did then, until when `clock`
    // says. That is read within the moment where it is ordered before later loads, as the words are.
    template <class Clock>
    Sums sums(const Clock& clock) const
    {
        return version_.read([&] {
            Sums found;
            for (unsigned at = 0; at < activities; ++at) {
                found.cycles[at] = cycles_[at].load(std::memory_order_acquire);
                found.times[at] = times_[at].load(std::memory_order_acquire);
            }
            const Activity activity = activity_.load(std::memory_order_acquire);
            const std::uint64_t since = since_.load(std::memory_order_acquire);
            found.cycles[static_cast<unsigned>(activity)] += clock() - since;
            return found;
        });
    }

private:
    using Word = Atomic<std::uint64_t>;

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
};

} // namespace parley::kernel::accounting

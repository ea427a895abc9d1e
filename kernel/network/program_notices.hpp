// SPDX-License-Identifier: MIT
// What the other machines of a job have not been told yet of its programs: that one is to end, that one has
// ended, or that it has another pid. Whoever has a program end notes it, on any processor; the job's helper
// tells it when there is room. Each program has one entry, so memory is bounded.
#pragma once

#include "base/spin_lock.hpp"

#include <climits>
#include <cstdint>
#include <span>

namespace parley::kernel {

class ProgramNotices {
public:
    enum class What : std::uint8_t { pid, kill, end };
    static constexpr unsigned kinds = 3;

    struct Notice {
        What what;
        unsigned endpoint;
        int value;       // the pid; of a kill, whether messages stay for a successor; the status of an end
        bool was_killed; // of an end: by its own job
    };

    // The memory for one program. Only ProgramNotices uses what is in it.
    struct OwedNotices {
        std::uint8_t untold[kinds] = {}; // a bit for each machine
        bool is_end_due = false;
        bool was_killed = false;
        int value[kinds] = {};
    };

    // `entries`: one for each program. `others`: a bit for each other machine.
    ProgramNotices(std::span<OwedNotices> entries, std::uint8_t others) : entries_(entries), others_(others)
    {
    }

    // ---- by anybody, interrupts off

    void note(const Notice& notice)
    {
        const LockGuard guard(lock_);
        OwedNotices& entry = entries_[notice.endpoint];
        const auto kind = static_cast<unsigned>(notice.what);
        owed_ += entry.untold[kind] == 0 ? 1 : 0;
        entry.untold[kind] = others_;
        entry.value[kind] = notice.value;
        if (notice.what == What::end) {
            entry.was_killed = notice.was_killed;
            entry.is_end_due = false;
        }
    }

    // ---- by the helper

    // Ends that were noted before may be told from now on: what these programs have sent can be found.
    void begin_turn()
    {
        const LockGuard guard(lock_);
        for (OwedNotices& entry : owed_ == 0 ? std::span<OwedNotices>() : entries_)
            entry.is_end_due = entry.untold[static_cast<unsigned>(What::end)] != 0;
    }
    // Whether something is left to be told.
    bool owes_any() const
    {
        const LockGuard guard(lock_);
        return owed_ != 0;
    }
    // Calls `tell(machine, notice)` with each notice that is owed. If that answers false, the machine is told
    // nothing more of that program now. Answers whether any notice was told.
    template <class Tell>
    bool send(const Tell& tell)
    {
        bool any = false;
        for (unsigned endpoint = 0; endpoint < entries_.size() && owes_any(); ++endpoint)
            for (unsigned machine = 0; machine < CHAR_BIT; ++machine)
                any = send_to(machine, endpoint, tell) || any;
        return any;
    }

private:
    template <class Tell>
    bool send_to(unsigned machine, unsigned endpoint, const Tell& tell)
    {
        bool any = false;
        for (const What what : {What::pid, What::kill, What::end}) {
            Notice notice{what, endpoint, 0, false};
            if (!take(machine, notice))
                continue;
            if (!tell(machine, notice)) {
                give_back(machine, notice);
                return any;
            }
            any = true;
        }
        return any;
    }

    // Completes the notice, if that machine is to be told of it now; it is owed no more, and what is noted
    // while it is told is owed anew, whatever its value.
    bool take(unsigned machine, Notice& notice)
    {
        const LockGuard guard(lock_);
        OwedNotices& entry = entries_[notice.endpoint];
        const auto kind = static_cast<unsigned>(notice.what);
        if ((entry.untold[kind] >> machine & 1) == 0 || (notice.what == What::end && !entry.is_end_due))
            return false;
        notice.value = entry.value[kind];
        notice.was_killed = notice.what == What::end && entry.was_killed;
        entry.untold[kind] &= static_cast<std::uint8_t>(~(1u << machine));
        owed_ -= entry.untold[kind] == 0 ? 1 : 0;
        return true;
    }
    // It was not told. What was noted meanwhile is told in its place.
    void give_back(unsigned machine, const Notice& notice)
    {
        const LockGuard guard(lock_);
        OwedNotices& entry = entries_[notice.endpoint];
        const auto kind = static_cast<unsigned>(notice.what);
        owed_ += entry.untold[kind] == 0 ? 1 : 0;
        entry.untold[kind] |= static_cast<std::uint8_t>(1u << machine);
    }

    const std::span<OwedNotices> entries_;
    const std::uint8_t others_;
    mutable SpinLock lock_;
    unsigned owed_ GUARDED_BY(lock_) = 0; // notices that some machine has not been told
};

} // namespace parley::kernel

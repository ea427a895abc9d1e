// SPDX-License-Identifier: MIT
// In an accounting kernel: what processors begin to do. As base/processor_time_points.hpp.
#pragma once

#include "base/activity.hpp"

#include <cstdint>

namespace parley::processor_time {

// Each answers what the processor did before.
Activity enter(Activity next);  // one more of these begins
Activity resume(Activity next); // one goes on that has begun before

class Inside {
public:
    explicit Inside(Activity next) : before_(enter(next)) { }
    ~Inside() { resume(before_); }
    Inside(const Inside&) = delete;

private:
    const Activity before_;
};

class AtPage {
public:
    explicit AtPage(std::uint64_t address);
    ~AtPage();
    AtPage(const AtPage&) = delete;

private:
    const std::uint64_t page_;
    const unsigned processor_;
    std::uint64_t time_before_; // of that processor in faults
    std::uint32_t came_before_; // to the page
    bool found_others_;
};

// A wait for a lock that goes on.
struct LockWaiting {
    Activity before = Activity::kernel;
    bool is_counted = false;
};
LockWaiting begin_lock_wait();
void end_lock_wait(const LockWaiting& waiting);

class LockWait {
public:
    LockWait() = default;
    ~LockWait()
    {
        if (waits_)
            end_lock_wait(waiting_);
    }
    LockWait(const LockWait&) = delete;

    void begin()
    {
        if (waits_)
            return;
        waits_ = true;
        waiting_ = begin_lock_wait();
    }

private:
    bool waits_ = false;
    LockWaiting waiting_;
};

void lock_taken();
void lock_left();

inline void becomes(Activity next) { resume(next); }

template <auto handler>
struct Told;
template <class Answer, class... Words, Answer (*handler)(Words...)>
struct Told<handler> {
    static Answer call(Words... words)
    {
        const Inside inside(Activity::call);
        return handler(words...);
    }
};
template <auto handler>
inline constexpr auto told = &Told<handler>::call;

} // namespace parley::processor_time

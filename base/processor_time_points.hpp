// SPDX-License-Identifier: MIT
// Where processors begin to do something else, so that their time can be told apart. Here nobody does, and
// nothing is left of these calls; an accounting kernel finds another header of this name first on its include
// path (kernel/accounting/on). All are called with interrupts off.
#pragma once

#include "base/activity.hpp"

#include <cstdint>

namespace parley::processor_time {

// While this lives, the processor that runs its thread of control does that; then what it did before.
class Inside {
public:
    explicit Inside(Activity) { }
    ~Inside() { }
    Inside(const Inside&) = delete;
};

// While this lives, the processor sees to a page of the address space that is loaded, because of a fault.
class AtPage {
public:
    explicit AtPage(std::uint64_t) { }
    ~AtPage() { }
    AtPage(const AtPage&) = delete;
};

// Begins to wait for a lock, if it does, when begin() is first called.
class LockWait {
public:
    LockWait() { }
    ~LockWait() { }
    LockWait(const LockWait&) = delete;

    void begin() { }
};

// A spin lock of the kernel is held, and no longer. Holders may hold several.
inline void lock_taken() { }
inline void lock_left() { }

// From now on the processor does that, whatever it did.
inline void becomes(Activity) { }

// The handler of a call, as the call's time is told.
template <auto handler>
inline constexpr auto told = handler;

} // namespace parley::processor_time

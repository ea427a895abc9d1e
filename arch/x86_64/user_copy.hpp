// SPDX-License-Identifier: MIT
// The machine's side of the seam to user memory (kernel/user_copy.hpp): one copy routine that may fault.
#pragma once

#include "arch/x86_64/trap.hpp"

#include <cstddef>

namespace parley::arch {

extern "C" unsigned long parley_copy(void* to, const void* from, unsigned long bytes);

// Copies with SMAP open. False when a page could not be made present; how much was copied is then unknown.
// Interrupts stay as they are. Either side may be user memory; the caller has checked the ranges.
inline bool copy_with_user(void* to, const void* from, std::size_t bytes)
{
    asm volatile("stac" ::: "memory");
    const unsigned long failed = parley_copy(to, from, bytes);
    asm volatile("clac" ::: "memory");
    return failed == 0;
}

// The kernel could not settle a fault. If it came from copy_with_user(), makes that return false and answers
// true.
bool abandon_user_copy(TrapFrame& frame);

} // namespace parley::arch

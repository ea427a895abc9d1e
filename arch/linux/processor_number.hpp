// SPDX-License-Identifier: MIT
// On which processor the caller runs, for what is watched on Linux. Under the kernel a process cannot know:
// the answer is that there is none.
#pragma once

#include "interface/trace.h"

#include <cstdint>

namespace parley {

// Linux keeps the processor's number in the limit of a segment that every process may ask for
// (arch/x86/include/asm/segment.h: __CPUNODE_SEG), which is how getcpu() finds it without a call. A number
// that a record has no room for is none.
inline std::uint8_t processor_number()
{
    constexpr std::uint32_t segment = 0x7b;
    constexpr std::uint32_t number = 0xfff;
    std::uint32_t limit = 0;
    bool found = false;
    asm volatile("lsll %2, %0" : "+r"(limit), "=@ccz"(found) : "r"(segment));
    const std::uint32_t processor = limit & number;
    return static_cast<std::uint8_t>(found && processor < PARLEY_TRACE_NOWHERE ? processor
                                                                               : PARLEY_TRACE_NOWHERE);
}

} // namespace parley

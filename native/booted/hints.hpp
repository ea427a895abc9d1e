// SPDX-License-Identifier: MIT
// Instructions that ask for a line, in a booted message library whose ring stands beside the native one
// (make validate-machine). An emulator makes no access for them, so that a modelled machine would not see
// where they ask: here each is followed by a read of the same place, of which nothing is used, and which the
// model takes for what the hint does (tools/machine_model/instruction.hpp: shows_place_of). Included before
// all else.
#pragma once

namespace parley::booted {

inline void ask_for(const void* place, int to_write = 0, int = 0)
{
    if (to_write != 0)
        asm volatile("prefetchw (%0)\n\ttestb $0, (%0)" : : "r"(place) : "cc");
    else
        asm volatile("prefetcht0 (%0)\n\ttestb $0, (%0)" : : "r"(place) : "cc");
}

} // namespace parley::booted

#define __builtin_prefetch(...) ::parley::booted::ask_for(__VA_ARGS__)

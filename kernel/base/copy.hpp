// SPDX-License-Identifier: MIT
// THE copy routine: kernel, user-level library and native library move message bytes with this very loop, so
// that designs can be compared. General registers only, sixty-four bytes a turn; never `rep movsb`, which
// emulators make about thirty times dearer. The two ranges do not overlap; either may be unaligned.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley {

using UnalignedWord [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;

inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes)
{
    auto* target = reinterpret_cast<UnalignedWord*>(to);
    const auto* source = reinterpret_cast<const UnalignedWord*>(from);
    for (; bytes >= 64; bytes -= 64, target += 8, source += 8) {
        const std::uint64_t a = source[0], b = source[1], c = source[2], d = source[3];
        target[0] = a, target[1] = b, target[2] = c, target[3] = d;
        const std::uint64_t e = source[4], f = source[5], g = source[6], h = source[7];
        target[4] = e, target[5] = f, target[6] = g, target[7] = h;
        asm volatile("" : : : "memory"); // keeps the compiler from calling memcpy instead
    }
    for (; bytes >= 8; bytes -= 8) {
        *target++ = *source++;
        asm volatile("" : : : "memory");
    }
    to = reinterpret_cast<std::byte*>(target);
    from = reinterpret_cast<const std::byte*>(source);
    for (; bytes > 0; --bytes) {
        *to++ = *from++;
        asm volatile("" : : : "memory");
    }
}

} // namespace parley

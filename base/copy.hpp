// SPDX-License-Identifier: MIT
// The one copy routine: kernel, user-level library and native library copy message bytes with this very
// loop, so that designs can be compared. It uses general registers only, sixty-four bytes in each round,
// and never `rep movsb` (arch/x86_64/emulator.hpp). The two ranges must not overlap; either may be
// unaligned.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley {

// Each is one move instruction, with any alignment.
inline std::uint64_t load_word(const std::byte* from)
{
    std::uint64_t word;
    __builtin_memcpy(&word, from, sizeof word);
    return word;
}

inline void store_word(std::byte* to, std::uint64_t word) { __builtin_memcpy(to, &word, sizeof word); }

inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes)
{
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
        const std::uint64_t a = load_word(from), b = load_word(from + 8);
        const std::uint64_t c = load_word(from + 16), d = load_word(from + 24);
        store_word(to, a), store_word(to + 8, b), store_word(to + 16, c), store_word(to + 24, d);
        const std::uint64_t e = load_word(from + 32), f = load_word(from + 40);
        const std::uint64_t g = load_word(from + 48), h = load_word(from + 56);
        store_word(to + 32, e), store_word(to + 40, f), store_word(to + 48, g), store_word(to + 56, h);
        asm volatile("" : : : "memory"); // keeps the compiler from calling memcpy instead
    }
    for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
        store_word(to, load_word(from));
        asm volatile("" : : : "memory");
    }
    for (; bytes > 0; --bytes) {
        *to++ = *from++;
        asm volatile("" : : : "memory");
    }
}

// A copy whose ranges may overlap: it copies words, beginning at the end that would otherwise be
// overwritten before it is read.
inline void move_bytes(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (to <= from) {
        for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
            store_word(to, load_word(from));
            asm volatile("" : : : "memory"); // keeps the compiler from calling memmove instead
        }
        for (; bytes > 0; --bytes) {
            *to++ = *from++;
            asm volatile("" : : : "memory");
        }
        return;
    }
    for (; bytes >= 8; bytes -= 8) {
        store_word(to + bytes - 8, load_word(from + bytes - 8));
        asm volatile("" : : : "memory");
    }
    for (; bytes > 0; --bytes) {
        to[bytes - 1] = from[bytes - 1];
        asm volatile("" : : : "memory");
    }
}

} // namespace parley

// SPDX-License-Identifier: MIT
// Message bytes on real hardware: sixteen at a time, ends by moves that overlap instead of loops, and from
// four kilobytes on the processor's own string move, which then is as fast and needs no registers
// (docs/native.md has the measurement).
#include "platform.hpp"

#include <emmintrin.h>

namespace parley::platform {

namespace {

constexpr std::size_t string_move = 4096;

__m128i load(const std::byte* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store(std::byte* to, __m128i value) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value); }

template <class Word>
void ends(std::byte* to, const std::byte* from, std::size_t bytes)
{
    Word first, last;
    __builtin_memcpy(&first, from, sizeof first);
    __builtin_memcpy(&last, from + bytes - sizeof last, sizeof last);
    __builtin_memcpy(to, &first, sizeof first);
    __builtin_memcpy(to + bytes - sizeof last, &last, sizeof last);
}

void copy_few(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes >= 8)
        ends<std::uint64_t>(to, from, bytes);
    else if (bytes >= 4)
        ends<std::uint32_t>(to, from, bytes);
    else if (bytes >= 2)
        ends<std::uint16_t>(to, from, bytes);
    else if (bytes == 1)
        *to = *from;
}

} // namespace

void copy(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes < 16)
        return copy_few(to, from, bytes);
    if (bytes >= string_move) {
        asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
        return;
    }
    const __m128i last = load(from + bytes - 16);
    std::byte* const end = to + bytes - 16;
    for (; bytes > 64; bytes -= 64, to += 64, from += 64) {
        const __m128i a = load(from), b = load(from + 16), c = load(from + 32), d = load(from + 48);
        store(to, a), store(to + 16, b), store(to + 32, c), store(to + 48, d);
    }
    for (; bytes > 16; bytes -= 16, to += 16, from += 16)
        store(to, load(from));
    store(end, last);
}

} // namespace parley::platform

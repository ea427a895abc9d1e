// SPDX-License-Identifier: MIT
// Message bytes on real hardware, by the widest moves that the ranks' processors have, with ends that overlap
// instead of loops: where lines come from another processor, stores that wait for them fill what a processor
// can hold, and then nothing goes on (docs/native.md has the measurement). From four kilobytes on the
// processor's own string move is as fast and needs no registers.
#include "native/interface/native_job.h"

#include "platform.hpp"

#include <immintrin.h>

namespace parley::platform {

namespace {

constexpr std::size_t string_move = 4096;
constexpr std::size_t line = 64;
// How many of a message's bytes lie in the first line of a port's entry (messaging/port/carried.hpp).
constexpr std::size_t in_first_line = 40;

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

__m128i load(const std::byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
void store(std::byte* at, __m128i value) { _mm_storeu_si128(reinterpret_cast<__m128i*>(at), value); }

// At least 16 bytes.
void copy_by_16(std::byte* to, const std::byte* from, std::size_t bytes)
{
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

// At least 32 bytes.
[[gnu::target("avx")]] void copy_by_32(std::byte* to, const std::byte* from, std::size_t bytes)
{
    const __m256i last = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + bytes - 32));
    std::byte* const end = to + bytes - 32;
    for (; bytes > 32; bytes -= 32, to += 32, from += 32)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(end), last);
}

// At least 64 bytes.
[[gnu::target("avx512f")]] void copy_by_64(std::byte* to, const std::byte* from, std::size_t bytes)
{
    const __m512i last = _mm512_loadu_si512(from + bytes - 64);
    std::byte* const end = to + bytes - 64;
    for (; bytes > 64; bytes -= 64, to += 64, from += 64)
        _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    _mm512_storeu_si512(end, last);
}

// More than two lines.
[[gnu::noinline]] void copy_lines(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes >= string_move) {
        asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
        return;
    }
    const auto& job = *reinterpret_cast<const parley_native_job*>(PARLEY_NATIVE_JOB_BASE);
    switch (__atomic_load_n(&job.widest_move, __ATOMIC_RELAXED)) {
    case 64: return copy_by_64(to, from, bytes);
    case 32: return copy_by_32(to, from, bytes);
    default: return copy_by_16(to, from, bytes);
    }
}

// More than a line; of up to two lines all loads come before the first store.
[[gnu::noinline]] void copy_two_lines(std::byte* to, const std::byte* from, std::size_t bytes)
{
    __builtin_prefetch(from + in_first_line + line);
    if (bytes > 2 * line) {
        __builtin_prefetch(from + in_first_line + 2 * line);
        return copy_lines(to, from, bytes);
    }
    const __m128i a = load(from), b = load(from + 16), c = load(from + 32), d = load(from + 48);
    const __m128i e = load(from + bytes - 64), f = load(from + bytes - 48);
    const __m128i last_but_one = load(from + bytes - 32), last = load(from + bytes - 16);
    store(to, a), store(to + 16, b), store(to + 32, c), store(to + 48, d);
    store(to + bytes - 64, e), store(to + bytes - 48, f);
    store(to + bytes - 32, last_but_one), store(to + bytes - 16, last);
}

} // namespace

// All loads of a short message come before its first store. Of one in a port's entry that is longer than the
// entry's first line has room for, the others are asked for at once: a processor foresees that there are more
// bytes, but a load whose address is computed from their number waits until the first line has come.
void copy(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes <= 32)
        return bytes < 16 ? copy_few(to, from, bytes) : ends<__m128i_u>(to, from, bytes);
    __builtin_prefetch(from + in_first_line);
    if (bytes > line)
        return copy_two_lines(to, from, bytes);
    const __m128i a = load(from), b = load(from + 16);
    const __m128i last_but_one = load(from + bytes - 32), last = load(from + bytes - 16);
    store(to, a), store(to + 16, b);
    store(to + bytes - 32, last_but_one), store(to + bytes - 16, last);
}

} // namespace parley::platform

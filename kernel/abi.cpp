// SPDX-License-Identifier: MIT
// What the compiler takes for granted: memory functions for its own copies, and the calls that must never
// happen.
#include "base/copy.hpp"
#include "kernel/report/panic.hpp"

#include <cstddef>
#include <cstdint>

using parley::kernel::panic;

extern "C" {

unsigned long parley_copy(void* to, const void* from, unsigned long bytes);

void* memcpy(void* to, const void* from, std::size_t bytes)
{
    parley_copy(to, from, bytes);
    return to;
}

void* memmove(void* to, const void* from, std::size_t bytes)
{
    parley::move_bytes(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
    return to;
}

void* memset(void* to, int value, std::size_t bytes)
{
    // Volatile, or the compiler makes this loop a call of itself.
    auto* words = static_cast<volatile std::uint64_t*>(to);
    const std::uint64_t pattern = static_cast<unsigned char>(value) * 0x0101010101010101;
    for (; bytes >= 8; bytes -= 8)
        *words++ = pattern;
    auto* rest = reinterpret_cast<volatile unsigned char*>(words);
    for (; bytes > 0; --bytes)
        *rest++ = static_cast<unsigned char>(value);
    return to;
}

int memcmp(const void* left, const void* right, std::size_t bytes)
{
    const auto* a = static_cast<const unsigned char*>(left);
    const auto* b = static_cast<const unsigned char*>(right);
    for (std::size_t i = 0; i < bytes; ++i) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

std::size_t strlen(const char* text)
{
    const volatile char* at = text;
    while (*at != 0)
        ++at;
    return static_cast<std::size_t>(at - text);
}

[[noreturn]] void abort() { panic("abort was called"); }
[[noreturn]] void __cxa_pure_virtual() { panic("a pure virtual function was called"); }
}

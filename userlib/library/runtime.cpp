// SPDX-License-Identifier: MIT
// The few functions that compilers call without being asked. There is no C library in here.
#include <cstddef>

extern "C" {

void* memcpy(void* to, const void* from, std::size_t bytes)
{
    auto* target = static_cast<char*>(to);
    const auto* source = static_cast<const char*>(from);
    for (; bytes > 0; --bytes) {
        *target++ = *source++;
        asm volatile("" : : : "memory"); // or the compiler would call memcpy here
    }
    return to;
}

void* memset(void* to, int value, std::size_t bytes)
{
    auto* target = static_cast<char*>(to);
    for (; bytes > 0; --bytes) {
        *target++ = static_cast<char>(value);
        asm volatile("" : : : "memory");
    }
    return to;
}

int memcmp(const void* left, const void* right, std::size_t bytes)
{
    const auto* a = static_cast<const unsigned char*>(left);
    const auto* b = static_cast<const unsigned char*>(right);
    for (; bytes > 0; --bytes, ++a, ++b)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

[[noreturn]] void abort() { __builtin_trap(); }

[[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }

} // extern "C"

// SPDX-License-Identifier: MIT
// A cache line, which one thread writes and the others rarely do.
#pragma once

#include <cstddef>
#include <new>
#include <span>

namespace parley::loops {

inline constexpr std::size_t line_bytes = 64;

// Zero when it is handed out.
struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];

    // Where the owner of the lines begins an object's life, once, before anybody else sees them.
    template <class T>
    T& make()
    {
        static_assert(sizeof(T) <= line_bytes);
        return *new (bytes) T();
    }
    template <class T>
    T& as()
    {
        return *std::launder(reinterpret_cast<T*>(bytes));
    }
};

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// A cache line, which one thread writes and the others rarely do.
#pragma once

#include <cstddef>
#include <new>

namespace parley::loops {

inline constexpr std::size_t line_bytes = 64;

// A line is zero when it is handed out.
struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];

    // Begins an object's life in the line. The owner of the lines calls it once, before anybody else sees
    // them.
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

// A line for each of some threads: one behind another, or those of each cluster's threads in a piece that
// lies in the cluster's memory.
class Lines {
public:
    Lines() = default;
    Lines(Line* all) : all_(all) { }
    // `pieces` stays where it is; each has so many lines.
    Lines(Line* const* pieces, unsigned of_each) : pieces_(pieces), of_each_(of_each) { }

    Line& operator[](unsigned thread) const
    {
        return pieces_ == nullptr ? all_[thread] : pieces_[thread / of_each_][thread % of_each_];
    }

private:
    Line* all_ = nullptr;
    Line* const* pieces_ = nullptr;
    unsigned of_each_ = 1;
};

} // namespace parley::loops

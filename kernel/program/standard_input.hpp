// SPDX-License-Identifier: MIT
// What the user has typed to a job: one stream of bytes for all processes that read it, which may read at
// the same time. What one has read no other gets.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>

namespace parley::kernel {

class StandardInput {
public:
    StandardInput() = default;
    StandardInput(const StandardInput&) = delete;

    // Called before anybody reads. `by_lines`: a read ends after a line, as a terminal's does, so that a
    // reader which asks for more than it needs leaves the next line to the others.
    void type(std::span<const std::byte> bytes, bool by_lines)
    {
        bytes_ = bytes;
        by_lines_ = by_lines;
    }

    // Answers how many bytes came; 0 at the end.
    std::size_t read(std::span<std::byte> into)
    {
        std::size_t at = position_.load(std::memory_order_relaxed);
        std::size_t count = next(at, into.size());
        while (!position_.compare_exchange_weak(at, at + count, std::memory_order_relaxed))
            count = next(at, into.size());
        if (count != 0)
            std::memcpy(into.data(), bytes_.data() + at, count);
        return count;
    }

private:
    std::size_t next(std::size_t at, std::size_t most) const
    {
        const auto rest = bytes_.subspan(at, std::min(most, bytes_.size() - at));
        const auto end = by_lines_ ? std::ranges::find(rest, std::byte{'\n'}) : rest.end();
        return static_cast<std::size_t>(end - rest.begin()) + (end == rest.end() ? 0 : 1);
    }

    std::span<const std::byte> bytes_;
    bool by_lines_ = false;
    std::atomic<std::size_t> position_{0};
};

} // namespace parley::kernel

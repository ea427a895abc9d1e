// SPDX-License-Identifier: MIT
// Text in a fixed buffer, to which pieces are appended. What does not fit is cut off. It allocates nothing
// and may be used anywhere.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parley {

// A number that is written in base sixteen, after 0x.
struct Hex {
    std::uint64_t value;
};

// A number with its noun, which has an s unless the number is 1: "1 byte", "2 bytes".
struct Counted {
    std::uint64_t number;
    std::string_view noun;
};

class TextWriter {
public:
    explicit TextWriter(std::span<char> buffer) : buffer_(buffer) { }
    TextWriter(const TextWriter&) = delete;

    TextWriter& operator<<(std::string_view text);
    TextWriter& operator<<(char character);
    TextWriter& operator<<(Hex number);
    TextWriter& operator<<(Counted counted);
    TextWriter& operator<<(std::unsigned_integral auto number) { return decimal(number, false); }
    TextWriter& operator<<(std::signed_integral auto number)
    {
        const auto magnitude = static_cast<std::uint64_t>(number);
        return number < 0 ? decimal(0 - magnitude, true) : decimal(magnitude, false);
    }
    void clear() { length_ = 0; }

    std::string_view view() const { return {buffer_.data(), length_}; }
    bool full() const { return length_ == buffer_.size(); }

private:
    TextWriter& decimal(std::uint64_t magnitude, bool negative);

    std::span<char> buffer_;
    std::size_t length_ = 0;
};

template <std::size_t capacity>
class Text : public TextWriter {
public:
    Text() : TextWriter(std::span<char>(storage_, capacity)) { }

private:
    char storage_[capacity];
};

} // namespace parley

// SPDX-License-Identifier: MIT
// A sentence for people, without a full stop, built without allocating. What does not fit is cut off.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace parley::messaging {

class FixedString {
public:
    static constexpr std::size_t most = 384; // characters

    FixedString& operator<<(std::string_view text);
    FixedString& operator<<(long number);
    std::string_view text() const { return {characters_.data(), length_}; }
    bool empty() const { return length_ == 0; }

private:
    std::array<char, most> characters_{};
    std::size_t length_ = 0;
};

} // namespace parley::messaging

// SPDX-License-Identifier: MIT
// Splits a text at the first mark. This is written by hand, because string_view's find() calls memchr and
// substr() may throw, and the user-level library has neither.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::messaging {

struct Halves {
    std::string_view before, after;
};

// `after` is empty if there is no mark, or nothing follows it.
constexpr Halves split(std::string_view text, char mark)
{
    std::size_t length = 0;
    while (length < text.size() && text[length] != mark)
        ++length;
    Halves halves{text, text};
    halves.before.remove_suffix(text.size() - length);
    halves.after.remove_prefix(length < text.size() ? length + 1 : length);
    return halves;
}

} // namespace parley::messaging

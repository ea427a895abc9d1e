// SPDX-License-Identifier: MIT
#include "native/nxrun/printable.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::native {

namespace {

// How many bytes the character at the start of a text has; 0: that is none, or a control character.
std::size_t length_of_character(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80)
        return first < 0x20 || first == 0x7f ? 0 : 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    std::uint32_t value = first & (0x7fu >> length);
    for (std::size_t at = 1; at < length; ++at) {
        const auto next = static_cast<unsigned char>(text[at]);
        if ((next & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (next & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000}; // below 0xa0 are control characters
    const bool is_surrogate = value >= 0xd800 && value < 0xe000;
    return value < least[length] || value > 0x10ffff || is_surrogate ? 0 : length;
}

std::string shown(std::string_view text, bool keeps_lines)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string all;
    while (!text.empty()) {
        const bool stays = keeps_lines && text.front() == '\n';
        const std::size_t length = stays ? 1 : length_of_character(text);
        if (length != 0) {
            all.append(text.substr(0, length));
            text.remove_prefix(length);
            continue;
        }
        const auto byte = static_cast<unsigned char>(text.front());
        all.append({'\\', 'x', digits[byte >> 4], digits[byte & 15]});
        text.remove_prefix(1);
    }
    return all;
}

} // namespace

std::string printable(std::string_view text) { return shown(text, false); }

std::string printable_lines(std::string_view text) { return shown(text, true); }

} // namespace parley::native

// SPDX-License-Identifier: MIT
#include "messaging/design/fixed_string.hpp"

namespace parley::messaging {

FixedString& FixedString::operator<<(std::string_view text)
{
    for (const char character : text)
        if (length_ < characters_.size())
            characters_[length_++] = character;
    return *this;
}

FixedString& FixedString::operator<<(long number)
{
    char digits[24];
    std::size_t at = sizeof digits;
    unsigned long rest =
        number < 0 ? 0ul - static_cast<unsigned long>(number) : static_cast<unsigned long>(number);
    do
        digits[--at] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
        digits[--at] = '-';
    return *this << std::string_view(digits + at, sizeof digits - at);
}

} // namespace parley::messaging

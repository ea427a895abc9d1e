// SPDX-License-Identifier: MIT
#include "base/text.hpp"

namespace parley {

TextWriter& TextWriter::operator<<(std::string_view text)
{
    for (char character : text)
        *this << character;
    return *this;
}

TextWriter& TextWriter::operator<<(char character)
{
    if (length_ < buffer_.size())
        buffer_[length_++] = character;
    return *this;
}

TextWriter& TextWriter::operator<<(Hex number)
{
    *this << "0x";
    int shift = 60;
    while (shift > 0 && (number.value >> shift) == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *this << "0123456789abcdef"[number.value >> shift & 15];
    return *this;
}

TextWriter& TextWriter::operator<<(Counted counted)
{
    *this << counted.number << ' ' << counted.noun;
    return counted.number == 1 ? *this : *this << 's';
}

TextWriter& TextWriter::decimal(std::uint64_t magnitude, bool negative)
{
    char digits[20];
    std::size_t count = 0;
    do {
        digits[count++] = static_cast<char>('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (negative)
        *this << '-';
    while (count > 0)
        *this << digits[--count];
    return *this;
}

} // namespace parley

// SPDX-License-Identifier: MIT
#include "kernel/program/line_output.hpp"

#include "base/text.hpp"

#include <cstring>

namespace parley::kernel {

void LineOutput::append(std::string_view text)
{
    for (const char character : text)
        put(character);
}

void LineOutput::finish()
{
    if (!line_begins_)
        put('\n');
}

void LineOutput::put(char character)
{
    if (line_begins_)
        begin_line();
    line_[length_++] = character;
    line_begins_ = character == '\n';
    if (line_begins_ || length_ == capacity)
        hand_on();
}

// "[12] ", "[ring] " or "[ring 12] ".
void LineOutput::begin_line()
{
    constexpr std::size_t longest_name = 64;
    if (tag_ == no_tag && job_.empty())
        return;
    Text<96> text;
    text << '[' << job_.substr(0, longest_name);
    if (tag_ != no_tag) {
        if (!job_.empty())
            text << ' ';
        text << tag_;
    }
    text << "] ";
    std::memcpy(line_, text.view().data(), text.view().size());
    length_ = text.view().size();
}

void LineOutput::hand_on()
{
    sink_.write({line_, length_});
    length_ = 0;
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/program/line_output.hpp"

#include "kernel/base/text.hpp"

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
    if (line_begins_ && tag_ != no_tag) {
        Text<32> tag;
        tag << '[' << tag_ << "] ";
        std::memcpy(line_, tag.view().data(), tag.view().size());
        length_ = tag.view().size();
    }
    line_[length_++] = character;
    line_begins_ = character == '\n';
    if (line_begins_ || length_ == capacity)
        hand_on();
}

void LineOutput::hand_on()
{
    sink_.write({line_, length_});
    length_ = 0;
}

} // namespace parley::kernel

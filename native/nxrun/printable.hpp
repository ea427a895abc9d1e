// SPDX-License-Identifier: MIT
// Makes text of programs and users safe to show: a terminal obeys control characters.
#pragma once

#include <string>
#include <string_view>

namespace parley::native {

// The text in UTF-8. Each byte of a control character, and each that is not UTF-8, becomes four characters:
// "\x1b". printable_lines() leaves the ends of lines as they are.
std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);

} // namespace parley::native

// SPDX-License-Identifier: MIT
// Text that programs or users have given, before nxrun shows it: a terminal obeys control characters.
#pragma once

#include <string>
#include <string_view>

namespace parley::native {

// The text in UTF-8. Each byte of a control character, or that is no UTF-8, becomes four characters: "\x1b".
// printable_lines() leaves the ends of lines as they are.
std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);

} // namespace parley::native

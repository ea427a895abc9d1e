// SPDX-License-Identifier: MIT
// Words that stand in a row with zeros between them.
#pragma once

#include <algorithm>
#include <string_view>

namespace parley::kernel {

inline std::string_view before_zero(std::string_view words)
{
    return {words.begin(), std::find(words.begin(), words.end(), '\0')};
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What nxrun --version says.
#pragma once

#include <string_view>

namespace parley::native {

inline constexpr std::string_view version = "1.0";

} // namespace parley::native

// SPDX-License-Identifier: MIT
// The version that nxrun --version prints.
#pragma once

#include <string_view>

namespace parley::native {

inline constexpr std::string_view version = "1.0";

} // namespace parley::native

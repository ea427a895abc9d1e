// SPDX-License-Identifier: MIT
// What programs are told of the machine they run on: its name, and the file in which the C library looks that
// name up.
#pragma once

#include <string_view>

namespace parley::kernel {

inline constexpr std::string_view machine_name = "parley";
inline constexpr std::string_view hosts_path = "etc/hosts";
inline constexpr std::string_view hosts_text = "127.0.0.1\tparley localhost\n";

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What platform and tracing need of the region's words, without the rest of the message system.
#pragma once

#include <cstdint>

namespace parley::library {

bool pause_wanted();
std::uint32_t process_proxy();
std::uintptr_t trace_base();

} // namespace parley::library

// SPDX-License-Identifier: MIT
// The words of the region's header that the platform needs, without the rest of the message system.
#pragma once

#include <cstdint>

namespace parley::library {

bool pause_wanted();
std::uint32_t process_proxy();
std::uintptr_t trace_base();

} // namespace parley::library

// SPDX-License-Identifier: MIT
// The two words of the region's header that the platform needs, without the rest of the message system.
#pragma once

#include <cstdint>

namespace parley::library {

bool pause_wanted();
std::uint32_t process_proxy();

} // namespace parley::library

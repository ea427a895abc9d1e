// SPDX-License-Identifier: MIT
// What platform, tracing and table need of the region's words and of the kernel, without the rest of the
// message system.
#pragma once

#include <cstdint>

namespace parley::library {

bool pause_wanted();
std::uint32_t process_proxy();
std::uintptr_t trace_base();

// Whoever polls in vain lets others have the processor, where it shares one, and else pauses.
void give_way();

} // namespace parley::library

// SPDX-License-Identifier: MIT
// The platform of the booted message library that stands beside the native one (hints.hpp): the booted one,
// which asks for the lines of a reused buffer where the native one does.
#pragma once

#define fetch_to_write fetch_nothing_to_write
#include "userlib/library/platform.hpp"
#undef fetch_to_write

namespace parley::platform {

// As native/library/platform.hpp has it.
inline void fetch_to_write(const std::byte* from, std::size_t bytes)
{
    constexpr std::size_t most = 768, line = 64;
    for (std::size_t at = 0; at < bytes && bytes <= most; at += line)
        __builtin_prefetch(from + at, 1);
}

} // namespace parley::platform

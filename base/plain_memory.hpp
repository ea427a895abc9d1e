// SPDX-License-Identifier: MIT
// The copies of a platform on which every process's memory is plain memory at the same address: a bad
// address ends the process, so no copy fails, and pages are made when they are first touched. A
// platform.hpp includes this after its copy(). Contract: base/platform_contract.hpp.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <cstddef>

namespace parley::platform {

inline Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes)
{
    copy(to, reinterpret_cast<const std::byte*>(from.value), bytes);
    return {};
}

inline Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes)
{
    copy(reinterpret_cast<std::byte*>(to.value), from, bytes);
    return {};
}

inline Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes)
{
    return copy_in(reinterpret_cast<std::byte*>(to.value), from, bytes);
}

inline Result<void> copy_to_process(unsigned, UserAddress to, UserAddress from, std::size_t bytes)
{
    return copy_across(to, from, bytes);
}

inline Result<void> populate(std::byte*, std::size_t) { return {}; }

} // namespace parley::platform

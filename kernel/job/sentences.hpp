// SPDX-License-Identifier: MIT
// Sentences that several parts of a job say.
#pragma once

#include <string_view>

namespace parley::kernel {

inline constexpr std::string_view too_little_memory =
    "there is too little memory for the job; boot with more (MEMORY=), or take fewer nodes (NODES=)";
inline constexpr std::string_view unprotected =
    "unprotected inside the job: its processes can harm each other, but no other job and not the kernel";

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// Sentences that several parts of a job say.
#pragma once

#include "base/arena.hpp"
#include "kernel/program/failure.hpp"

#include <cstring>
#include <string_view>

namespace parley::kernel {

inline constexpr std::string_view too_little_memory =
    "there is too little memory for the job; boot with more (MEMORY=), or take fewer nodes (NODES=)";
inline constexpr std::string_view unprotected =
    "unprotected inside the job: its processes can harm each other, but no other job and not the kernel";

// Refuses a job with a sentence that outlives whoever made it: a copy is kept in the arena.
inline Loaded<void> refuse_with(std::string_view sentence, Arena& arena)
{
    const Result<std::byte*> copy = arena.allocate(sentence.size(), 1);
    if (!copy)
        return refuse(too_little_memory, Error::no_memory);
    std::memcpy(*copy, sentence.data(), sentence.size());
    return refuse({reinterpret_cast<const char*>(*copy), sentence.size()}, Error::bad_argument);
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "arch/x86_64/user_copy.hpp"

namespace parley::arch {

extern "C" char parley_copy_end[], parley_copy_fault[];

bool abandon_user_copy(TrapFrame& frame)
{
    const auto start = reinterpret_cast<std::uint64_t>(&parley_copy);
    const auto end = reinterpret_cast<std::uint64_t>(parley_copy_end);
    if (frame.from_user() || frame.instruction < start || frame.instruction >= end)
        return false;
    frame.instruction = reinterpret_cast<std::uint64_t>(parley_copy_fault);
    return true;
}

} // namespace parley::arch

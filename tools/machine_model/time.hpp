// SPDX-License-Identifier: MIT
// Simulated time. It starts with the machine.
#pragma once

#include <cstdint>

namespace parley::machine_model {

using Picoseconds = std::uint64_t;

inline constexpr Picoseconds nanosecond = 1000;
// Later than any simulation ends.
inline constexpr Picoseconds never = ~Picoseconds{0};

} // namespace parley::machine_model

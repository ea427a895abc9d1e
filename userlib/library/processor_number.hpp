// SPDX-License-Identifier: MIT
// On which processor the caller runs, for a traced library: under the kernel a process cannot know.
#pragma once

#include "interface/trace.h"

#include <cstdint>

namespace parley {

inline std::uint8_t processor_number() { return PARLEY_TRACE_NOWHERE; }

} // namespace parley

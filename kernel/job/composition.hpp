// SPDX-License-Identifier: MIT
// From a design to the objects that make its jobs: those leaves of location and context-switch that this
// kernel has. The rest of a design is composed by messaging/composition.hpp.
#pragma once

#include "base/arena.hpp"
#include "kernel/job/residency.hpp"
#include "kernel/job/system_home.hpp"

namespace parley::kernel {

// Errors: not_found, where jobs of that class are made elsewhere only; no_memory.
Result<SystemHome*> make_system_home(Arena& arena, const messaging::Design& design);
Result<Residency*> make_residency(Arena& arena, const messaging::Design& design);

} // namespace parley::kernel

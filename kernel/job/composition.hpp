// SPDX-License-Identifier: MIT
// From a design to the objects that make its jobs: those leaves of location and context-switch that this
// kernel has. The rest of a design is composed by messaging/composition.hpp.
#pragma once

#include "base/arena.hpp"
#include "kernel/job/context_switch.hpp"
#include "kernel/job/location.hpp"

namespace parley::kernel {

// Errors: not_found, where jobs of that class are made elsewhere only; no_memory.
Result<Location*> make_location(Arena& arena, const messaging::Design& design);
Result<ContextSwitch*> make_context_switch(Arena& arena, const messaging::Design& design);

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What generic code may ask of the machine. Each port (arch/x86_64, arch/hosted) offers the same small header
// `pause.hpp`, found through the include path, and is checked here; everything larger is reached through the
// layer that owns it.
#pragma once

#include "pause.hpp"

#include <concepts>

namespace parley::arch {

// A polite turn in a spin loop: PAUSE or nothing, as the boot decided.
static_assert(requires {
    { pause() } -> std::same_as<void>;
});

} // namespace parley::arch

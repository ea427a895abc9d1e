// SPDX-License-Identifier: MIT
// What generic code may use of the machine. Each port (arch/x86_64, arch/hosted) has a small header
// `pause.hpp`, found through the include path, which is checked here. Everything larger belongs to the
// layer that owns it.
#pragma once

#include "pause.hpp"

#include <concepts>

namespace parley::arch {

// One pause in a spin loop: the instruction PAUSE or nothing, as was decided at the boot.
static_assert(requires {
    { pause() } -> std::same_as<void>;
});

} // namespace parley::arch

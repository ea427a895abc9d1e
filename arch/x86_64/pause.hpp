// SPDX-License-Identifier: MIT
// PAUSE, or nothing where it costs more than it brings (emulator.hpp): the boot chooses.
#pragma once

namespace parley::arch {

inline constinit bool pause_wanted = true; // written once by the boot, before the other processors start

inline void pause()
{
    if (pause_wanted)
        __builtin_ia32_pause();
}

} // namespace parley::arch

// SPDX-License-Identifier: MIT
// PAUSE leaves the emulator's translated code (about 100 ns), which doubles a ping-pong; without it, spinning
// processors that share a host core starve each other. So the boot chooses: nothing when every processor has
// a host core, PAUSE otherwise.
#pragma once

namespace parley::arch {

inline constinit bool pause_wanted = true; // written once by the boot, before the other processors start

inline void pause()
{
    if (pause_wanted)
        __builtin_ia32_pause();
}

} // namespace parley::arch

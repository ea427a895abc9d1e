// SPDX-License-Identifier: MIT
// A pause between two looks at a spin lock. Linux may have stopped its holder anywhere, so where ranks share
// processors who waits gives its own away. Contract: base/architecture.hpp.
#pragma once

namespace parley::platform {

void give_way();

} // namespace parley::platform

namespace parley::arch {

inline void pause() { platform::give_way(); }

} // namespace parley::arch

// SPDX-License-Identifier: MIT
// A spinning party of the explorer gives way until another has changed a word.
#pragma once

#include "testing/explorer.hpp"

namespace parley::arch {

inline void pause() { explorer::spin(); }

} // namespace parley::arch

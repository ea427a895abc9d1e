// SPDX-License-Identifier: MIT
// What the booted kernel tells the program.
#pragma once

#include "interface/start_info.h"

namespace parley::loops {

// Null: the program runs on Linux, or under a kernel of another version.
const parley_start* told_by_kernel();

// As whoever starts the program calls the words of its loops.
const char* name_of_words();

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// Which plain accesses the explorer sees: those of a running party, not its own.
#pragma once

#include "testing/exploring/races.hpp"

#include <cstddef>

namespace parley::explorer {

// A party's own code runs, and what it does to plain memory is to be told to note_plain().
extern bool watching;

// Tells the running exploration (explorer.cpp) of an access. `place`: the code that makes it.
void note_plain(const void* place, const void* at, std::size_t bytes, AccessKind access);
// The play is set up, and what it allocates is to be told to note_allocated().
extern bool setting_up;

// What sets up or runs gets this memory from the allocator, or gives it back.
void note_allocated(void* at, std::size_t bytes);
void note_freed(const void* at);

} // namespace parley::explorer

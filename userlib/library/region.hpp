// SPDX-License-Identifier: MIT
// The shared region of a job in user location. From its start: this header; the message system, where the
// kernel's monitor expects its wait records; the blocks that programs allocate.
#pragma once

#include "interface/limits.h"
#include "messaging/message_system.hpp"
#include "userlib/library/region_words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

struct parley_process {
    parley::messaging::MessageSystem* system;
    unsigned endpoint;
    bool entered;            // by a program, since it was opened
    bool successor_receives; // what waits for a killed program
};

namespace parley::library {

enum class RegionState : std::uint32_t { untouched, in_the_making, ready, failed };

struct RegionHeader {
    RegionWords words;
    std::atomic<std::uint32_t> state; // RegionState; a word to sleep on
    messaging::MessageSystem* system; // guarded by state
    parley_process processes[PARLEY_MAX_PROCESSES];
};

static_assert(offsetof(RegionHeader, words) == 0);
static_assert(sizeof(RegionHeader) <= PARLEY_REGION_HEADER_BYTES);

// The region lies at one address in every domain, and reads as zero when it is new.
inline RegionHeader& region() { return *reinterpret_cast<RegionHeader*>(PARLEY_SHARED_BASE); }

} // namespace parley::library

// SPDX-License-Identifier: GPL-2.0-or-later
// What the emulator translates is told the model: each block when it begins, each access, and what some
// instructions mean.
#pragma once

#include "tools/machine_model/counts_by_interval.hpp"
#include "tools/machine_model/plugin/back_end.hpp"
#include "tools/machine_model/plugin/interface.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::machine_model {

// Virtual addresses from the first to before the last.
struct AddressRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    bool contains(std::uint64_t address) const { return first <= address && address < last; }
};

// Called once, when the plugin is loaded. `with` is never destroyed. `copies`: where the routines that copy
// lie, in whatever address space. `by_interval`: told of the machine's processors when an interval is over,
// until the last block; never destroyed; null: nobody wants that, and it costs nothing.
void instrument(qemu_plugin_id_t id, BackEnd& with, std::vector<AddressRange> copies,
                CountsByInterval* by_interval);

// What follows is of all that has been simulated, by the emulator's processors.

// How many instructions of each class it has begun: a block that an exception left counts whole.
std::array<std::uint64_t, instruction_classes> instructions_of(unsigned processor);
// What further steps of instructions that move wide data have taken.
Picoseconds wide_time_of(unsigned processor);
// How long it was in the routines that copy, with what their accesses took.
Picoseconds copying_of(unsigned processor);
// Conditional jumps, of them those that were not foreseen, and what these took. None where the machine
// overlaps nothing.
struct JumpCounts {
    std::uint64_t jumps;
    std::uint64_t wrong;
    Picoseconds time;
};
std::optional<JumpCounts> jumps_of(unsigned processor);

} // namespace parley::machine_model

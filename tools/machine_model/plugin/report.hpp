// SPDX-License-Identifier: GPL-2.0-or-later
// What the plugin tells the runner at the end (tools/parley_runner/model.py, tools/parley_trace/memory.py).
#pragma once

#include "tools/machine_model/counts_by_interval.hpp"
#include "tools/machine_model/plugin/back_end.hpp"

#include <string>

namespace parley::machine_model {

// A line for the whole, and one for each processor: name=number, times in picoseconds. Called when the
// emulator's process ends by itself, which the machine's exit port brings about.
void write_report(BackEnd& back_end, const std::string& path);

// How long an interval is; then for each processor a line with its clock, and a line for each of its
// intervals: the number, misses of reads, writes and fetches, transfers on the bus, and what waiting for them
// took; at last "end". Called once, where write_report() is.
void write_intervals(BackEnd& back_end, CountsByInterval& intervals, const std::string& path);

} // namespace parley::machine_model

// SPDX-License-Identifier: GPL-2.0-or-later
// What the plugin tells the runner at the end (tools/parley_runner/model.py).
#pragma once

#include "tools/machine_model/plugin/back_end.hpp"

#include <string>

namespace parley::machine_model {

// A line for the whole, and one for each processor: name=number, times in picoseconds. Called when the
// emulator's process ends by itself, which the machine's exit port brings about.
void write_report(BackEnd& back_end, const std::string& path);

} // namespace parley::machine_model

// SPDX-License-Identifier: MIT
// The kinds of memory that a machine may have, by the parameters that its file has.
#pragma once

#include "tools/machine_model/machine_file.hpp"
#include "tools/machine_model/memory.hpp"

#include <expected>
#include <memory>
#include <string>

namespace parley::machine_model {

// Whether some kind of memory has a parameter of this name.
bool is_of_memory(const std::string& name);

// Makes the memory for so many processors: a cache that is written through over a bus (parameters "cache."),
// caches that are written back ("level1." and further), clusters behind a network ("clusters."), banks behind
// a crossbar ("memory." alone), or none of them: memory that takes no time. An impossible geometry is an
// error of one sentence. The processors are divided into so many multiprocessors, each with such a memory for
// its own.
std::expected<std::unique_ptr<Memory>, std::string> make_memory(const MachineFile& file, unsigned processors,
                                                                unsigned multiprocessors);

} // namespace parley::machine_model

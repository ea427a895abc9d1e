// SPDX-License-Identifier: MIT
// Whether mpirun has started this nxrun, as one of several.
#pragma once

#include <optional>
#include <string>

namespace parley::native {

// What mpirun says to those it starts.
struct World {
    unsigned machines;
    unsigned here;
    std::string mpi; // "mpich" or "openmpi"
};

// Nothing: this nxrun was started by itself, or alone.
std::optional<World> find_world();

} // namespace parley::native

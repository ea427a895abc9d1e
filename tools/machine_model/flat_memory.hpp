// SPDX-License-Identifier: MIT
// Memory whose accesses take no time beyond their instructions.
#pragma once

#include "tools/machine_model/memory.hpp"

namespace parley::machine_model {

class FlatMemory : public Memory {
public:
    bool takes_time() const override { return false; }
    Picoseconds read(const Access&) override { return 0; }
    Picoseconds write(const Access&) override { return 0; }
    Picoseconds fetch(const Access&) override { return 0; }
    const MemoryCounts& counts(unsigned) const override { return none_; }

private:
    MemoryCounts none_;
};

} // namespace parley::machine_model

// SPDX-License-Identifier: MIT
// Several multiprocessors in one machine: the processors are divided evenly, in their order, and those of
// each have a bus, caches and banks of their own.
#pragma once

#include "tools/machine_model/memory.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace parley::machine_model {

// Nothing that one multiprocessor does takes anything of another, and no line goes from one to another: an
// address that several use is as one in the memory of each.
class DividedMemory : public Memory {
public:
    // `parts`: at least one, each for the same number of processors, all of one kind.
    DividedMemory(std::vector<std::unique_ptr<Memory>> parts, unsigned processors_of_each)
        : parts_{std::move(parts)}, processors_{processors_of_each}
    {
    }

    bool takes_time() const override { return parts_.front()->takes_time(); }
    Picoseconds read(const Access& access) override { return of(access).read(within(access)); }
    Picoseconds read_to_write(const Access& access) override
    {
        return of(access).read_to_write(within(access));
    }
    Picoseconds write(const Access& access) override { return of(access).write(within(access)); }
    Picoseconds fetch(const Access& access) override { return of(access).fetch(within(access)); }
    void keep(const Access& access, Picoseconds until) override { of(access).keep(within(access), until); }
    const MemoryCounts& counts(unsigned processor) const override
    {
        return parts_[processor / processors_]->counts(processor % processors_);
    }

private:
    Memory& of(const Access& access) { return *parts_[access.processor / processors_]; }
    Access within(Access access) const
    {
        access.processor %= processors_;
        return access;
    }

    std::vector<std::unique_ptr<Memory>> parts_;
    unsigned processors_;
};

} // namespace parley::machine_model

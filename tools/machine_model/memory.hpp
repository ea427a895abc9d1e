// SPDX-License-Identifier: MIT
// What lies between processors and data, as far as it takes time.
#pragma once

#include "tools/machine_model/time.hpp"

#include <cstdint>

namespace parley::machine_model {

// One access as a processor makes it: physical addresses, any number of bytes up to a page.
struct Access {
    unsigned processor;
    std::uint64_t address;
    unsigned bytes;
    Picoseconds at; // when it begins
};

// What one processor has done, and where its time went beyond its instructions.
struct MemoryCounts {
    std::uint64_t reads = 0; // as the memory sees them: what crosses a line counts for each
    std::uint64_t writes = 0;
    std::uint64_t fetches = 0;
    std::uint64_t read_misses = 0;
    std::uint64_t write_misses = 0;
    std::uint64_t fetch_misses = 0;
    std::uint64_t invalidations = 0; // of its cached data by others
    std::uint64_t from_caches = 0;   // lines that came from another processor's cache
    std::uint64_t write_backs = 0;   // of changed lines that gave way
    std::uint64_t bus_transfers = 0;
    Picoseconds bus_waiting = 0; // for the bus or a bank, before a transfer could begin
    Picoseconds time = 0;        // all that accesses took beyond their instructions, waiting included
};

// Each call answers how long the access takes beyond its instruction, in picoseconds, and takes what the
// access needs for so long. Accesses come in the order of their times, but for the lookahead.
class Memory {
public:
    virtual ~Memory() = default;
    // Whether accesses take any time at all; where none does the memory need not be told of them.
    virtual bool takes_time() const = 0;
    virtual Picoseconds read(const Access& access) = 0;
    // The read of a locked instruction, whose write follows. Where processors keep lines it asks for the line
    // alone, which the write then has.
    virtual Picoseconds read_to_write(const Access& access) { return read(access); }
    virtual Picoseconds write(const Access& access) = 0;
    virtual Picoseconds fetch(const Access& access) = 0;
    // Others get what this access has written no earlier than `until`. Where no processor keeps a line for
    // itself there is nothing to do.
    virtual void keep(const Access& access, Picoseconds until)
    {
        static_cast<void>(access);
        static_cast<void>(until);
    }
    virtual const MemoryCounts& counts(unsigned processor) const = 0;
};

} // namespace parley::machine_model

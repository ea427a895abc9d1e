// SPDX-License-Identifier: MIT
// What each party of an execution has last done to each byte of plain memory, to find two accesses that
// nothing orders. What is done to an Atomic is known here, too, for its place may be plain memory to others:
// before its life, or after.
#pragma once

#include "testing/exploring/address_table.hpp"
#include "testing/exploring/explored_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace parley::explorer {

enum class AccessKind : std::uint8_t { read, write, atomic_read, atomic_write };

class Races {
public:
    // Where the code is that did it, as an address in the program.
    struct Done {
        const void* place;
        AccessKind access;
        unsigned party;
    };
    struct Race {
        Done first, second;
    };

    void clear() { granules_.clear(); }
    // A party does this at its place, when so much has happened before. The race that it makes, if one.
    std::optional<Race> note(const Done& done, const void* at, std::size_t bytes, const VectorClock& clock);
    // The memory begins anew: what was done to it before is nobody's business.
    void forget(const void* at, std::size_t bytes);

private:
    struct Entry {
        const void* place;
        std::uint32_t when; // by its party's own clock
        std::uint8_t party, bytes /* a bit for each */;
        AccessKind access;
    };
    // Eight bytes of memory. More entries than there is room for are as good as never: the oldest goes.
    struct Granule {
        Granule() { }          // leaves the entries as they are: nobody looks at one that is not used
        std::uint8_t used = 0; // first, beside what the table looks at
        std::array<Entry, 8> entries;
    };

    static bool conflict(const Entry& before, const Entry& now, const VectorClock& clock);

    AddressTable<Granule> granules_;
};

// Function, file and line of a place in this program, as the symbols tell it.
std::string source_of(const void* place);

} // namespace parley::explorer

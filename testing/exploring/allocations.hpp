// SPDX-License-Identifier: MIT
// Names for what a play has allocated that are the same in every execution, where addresses are not: a block
// is known by who allocated it, how many that had allocated before, and the offset within it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace parley::explorer {

using Name = std::uint64_t;

class Allocations {
public:
    static constexpr unsigned set_up = 0xff; // who allocates before the parties begin; else a party's number

    void clear()
    {
        blocks_.clear();
        allocated_.clear();
    }
    void add(unsigned who, std::uintptr_t start, std::size_t bytes)
    {
        blocks_[start] = {bytes, Name{who} << 48 | Name{++allocated_[who]} << 24};
    }
    void remove(std::uintptr_t start) { blocks_.erase(start); }

    // None: the address is of no such block. Names are above all addresses.
    std::optional<Name> name_of(std::uintptr_t address) const
    {
        auto next = blocks_.upper_bound(address);
        if (next == blocks_.begin())
            return std::nullopt;
        --next;
        const std::size_t offset = address - next->first;
        if (offset >= next->second.bytes)
            return std::nullopt;
        return Name{1} << 63 | (next->second.name + offset);
    }

private:
    struct Block {
        std::size_t bytes;
        Name name;
    };
    std::map<std::uintptr_t, Block> blocks_;
    std::map<unsigned, unsigned> allocated_;
};

} // namespace parley::explorer

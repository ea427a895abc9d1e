// SPDX-License-Identifier: MIT
// Two caches that keep each other coherent (MESI) and never have to make room: which lines cross between two
// processors that run a piece of code by turns. A transaction is what the caches must ask of each other: a
// line is fetched to be read, fetched to be written, or the other's copy is taken away before a write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace parley::testing {

class Caches {
public:
    static constexpr std::uintptr_t line_bytes = 64;

    // What one line has cost.
    struct Crossings {
        unsigned read[2] = {};                     // fetched to be read, by whom
        unsigned write[2] = {};                    // fetched or claimed to be written
        std::map<std::uintptr_t, unsigned> places; // the addresses whose use caused them

        unsigned all() const { return read[0] + read[1] + write[0] + write[1]; }
    };

    void access(unsigned who, std::uintptr_t address, std::size_t bytes, bool writes)
    {
        if (bytes == 0)
            return;
        const std::uintptr_t last = (address + bytes - 1) / line_bytes;
        for (std::uintptr_t line = address / line_bytes; line <= last; ++line)
            touch(who, line, line * line_bytes > address ? line * line_bytes : address, writes);
    }

    // What was cached stays so; counting begins anew.
    void forget_counts() { crossings_.clear(); }
    const std::map<std::uintptr_t, Crossings>& crossings() const { return crossings_; }

private:
    enum class State : std::uint8_t { invalid, shared, exclusive, modified };
    struct Line {
        State in[2] = {State::invalid, State::invalid};
    };

    void touch(unsigned who, std::uintptr_t number, std::uintptr_t address, bool writes)
    {
        const unsigned self = who, other = 1 - who;
        Line& line = lines_[number];
        if (writes) {
            if (line.in[self] == State::invalid || line.in[self] == State::shared)
                note(number, address).write[self]++;
            line.in[self] = State::modified;
            line.in[other] = State::invalid;
        } else if (line.in[self] == State::invalid) {
            note(number, address).read[self]++;
            const bool alone = line.in[other] == State::invalid;
            line.in[self] = alone ? State::exclusive : State::shared;
            line.in[other] = alone ? State::invalid : State::shared;
        }
    }

    Crossings& note(std::uintptr_t number, std::uintptr_t address)
    {
        Crossings& crossings = crossings_[number];
        ++crossings.places[address];
        return crossings;
    }

    std::map<std::uintptr_t, Line> lines_;
    std::map<std::uintptr_t, Crossings> crossings_;
};

} // namespace parley::testing

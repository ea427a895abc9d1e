// SPDX-License-Identifier: MIT
// What waits for what a processor reads: within a block of instructions, found once when the block is
// translated; and by time, while the processor runs.
#pragma once

#include "tools/machine_model/register_use.hpp"
#include "tools/machine_model/time.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace parley::machine_model {

// Where a value comes from: a bit for each register as the block found it, and for each of the block's
// instructions that may read memory. Those beyond the last bit share it.
using Origins = std::uint64_t;
inline constexpr unsigned most_readers = 64 - registers;

// What the values of one block depend on. The block's instructions are added in their order.
class Dataflow {
public:
    Dataflow()
    {
        for (unsigned number = 0; number < registers; ++number)
            values_[number] = Origins{1} << number;
    }

    struct Place {
        Origins address;   // what its address waits for
        unsigned reader;   // its number among the block's readers
        unsigned position; // its number among the block's instructions
    };
    Place add(const RegisterUse& use)
    {
        const Place place{origins_of(use.address), std::min(readers_, most_readers - 1), instructions_++};
        Origins made = origins_of(use.read);
        if (use.has_memory) {
            made |= Origins{1} << (registers + place.reader);
            ++readers_;
        }
        ends_in_jump_ = use.is_conditional_jump;
        decided_by_ = made;
        for (unsigned number = 0; number < registers; ++number) {
            const RegisterSet itself = RegisterSet{1} << number;
            if ((use.written & itself) != 0)
                values_[number] = made | ((use.kept & itself) != 0 ? values_[number] : 0);
            else if ((use.advanced & itself) != 0)
                values_[number] = place.address;
        }
        return place;
    }

    unsigned instructions() const { return instructions_; }
    // What each register comes from when the block ends.
    const std::array<Origins, registers>& values() const { return values_; }
    bool ends_in_jump() const { return ends_in_jump_; } // a conditional one
    // What its last instruction is decided by, if that is such a jump.
    Origins decided_by() const { return decided_by_; }

private:
    Origins origins_of(RegisterSet set) const
    {
        Origins found = 0;
        for (; set != 0; set &= set - 1)
            found |= values_[static_cast<unsigned>(std::countr_zero(set))];
        return found;
    }

    std::array<Origins, registers> values_{};
    Origins decided_by_ = 0;
    bool ends_in_jump_ = false;
    unsigned readers_ = 0;
    unsigned instructions_ = 0;
};

// When the values of one processor's registers are there.
class RegisterTimes {
public:
    void set_read(unsigned reader, Picoseconds at)
    {
        Picoseconds& time = times_[registers + reader];
        time = std::max(time, at);
        latest_ = std::max(latest_, at);
    }
    // When all of these are there; 0: long since.
    Picoseconds of(Origins origins) const
    {
        Picoseconds found = 0;
        for (; latest_ != 0 && origins != 0; origins &= origins - 1)
            found = std::max(found, times_[static_cast<unsigned>(std::countr_zero(origins))]);
        return found;
    }
    // A block with this dataflow has ended by `now`.
    void end_block(const Dataflow& flow, Picoseconds now)
    {
        if (latest_ == 0)
            return;
        std::array<Picoseconds, 64> next{};
        if (latest_ > now)
            for (unsigned number = 0; number < registers; ++number)
                next[number] = of(flow.values()[number]);
        else
            latest_ = 0;
        times_ = next;
    }

private:
    std::array<Picoseconds, 64> times_{};
    Picoseconds latest_ = 0; // of all; 0: none is awaited
};

} // namespace parley::machine_model

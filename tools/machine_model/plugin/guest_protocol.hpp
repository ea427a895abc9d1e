// SPDX-License-Identifier: GPL-2.0-or-later
// What a guest that works with the model tells it, and is told (arch/x86_64/model_clock.hpp). A test boots
// both.
#pragma once

#include "tools/machine_model/plugin/guest_memory.hpp"
#include "tools/machine_model/time.hpp"

#include <cstdint>
#include <span>

namespace parley::machine_model {

// What the guest tells by an instruction that means nothing on any other machine. The model sees it before it
// runs.
enum class GuestCall {
    none,
    attach, // the kernel asks whether there is a mailbox
    join,   // this processor has been started; it comes to the end of the block without any access to memory
    wait,   // this processor looks for work, and has found none
};
GuestCall guest_call_of(std::span<const std::uint8_t> code);

// How often a processor looks for work that has none.
constexpr Picoseconds between_looks = 100'000 * nanosecond;

// Where modelled time begins, when the last processor has joined, whose clock shows this: at the next whole
// second, so that it is the same for what brings processors there in other times.
constexpr Picoseconds beginning_after(Picoseconds clock)
{
    constexpr Picoseconds second = 1'000'000'000 * nanosecond;
    return (clock / second + 1) * second;
}

// What the kernel is to do without.
enum class Lacking : std::uint64_t {
    clock_and_ticks = 0x656d6954'79656c50, // the time-stamp counter is read by a trap, and here
    ticks = 0x6b636954'6f4e7950,
};

// A page of the machine's memory.
class GuestMailbox {
public:
    // The kernel has asked for it. Where the memory is not found it stays without an answer.
    void open(const GuestMemory& memory, Lacking what);
    // Answers a reading of the clock, by an instruction of so many bytes.
    void show(Picoseconds now, std::uint64_t bytes);

private:
    volatile std::uint64_t* words_ = nullptr;
};

} // namespace parley::machine_model

// SPDX-License-Identifier: MIT
// The classes into which x86-64 instructions fall, whose times a machine file gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::machine_model {

enum class InstructionClass : std::uint8_t {
    plain,    // moves, additions, comparisons, jumps
    store,    // moves of whole numbers to memory
    multiply, // of whole numbers
    divide,   // of whole numbers
    floating, // x87 and the arithmetic of SSE
    call,     // calls of a known place, and returns
    indirect, // calls through a register or memory, as virtual functions are called
    atomic,   // with a lock, or an exchange with memory
    string,   // one step of a string instruction
    system,   // what enters or leaves the kernel, and what only the kernel may do
};
inline constexpr unsigned instruction_classes = 10;
// The names of the classes in machine files, in their order.
inline constexpr const char* instruction_class_names[instruction_classes] = {
    "plain", "store", "multiply", "divide", "floating", "call", "indirect", "atomic", "string", "system",
};

// Whether a machine of narrower words has to repeat such instructions for each word of wider data: moves, and
// what else a general instruction does with memory.
constexpr bool is_repeated_by_word(InstructionClass kind)
{
    return kind == InstructionClass::plain || kind == InstructionClass::store ||
           kind == InstructionClass::string;
}

// The class of the instruction that these bytes encode, in 64-bit mode. What is unknown is plain.
InstructionClass classify(std::span<const std::uint8_t> bytes);
// Whether the instruction writes each datum that it reads from memory, there or elsewhere, so that one step
// of it is a read and a write of the same width.
bool writes_what_it_reads(std::span<const std::uint8_t> bytes);
// An instruction that asks for a line: to read it, or to write it.
enum class Hint : std::uint8_t { none, to_read, to_write };
Hint hint_of(std::span<const std::uint8_t> bytes);
// Whether an instruction, of a test of no bits, reads where the one before it, a hint, asks for a line: an
// emulator makes no access for a hint, so that this one shows where it asks (native/booted/hints.hpp).
bool shows_place_of(std::span<const std::uint8_t> hint, std::span<const std::uint8_t> bytes);
// Whether the instruction stops the processor until an interrupt.
bool is_halt(std::span<const std::uint8_t> bytes);

} // namespace parley::machine_model

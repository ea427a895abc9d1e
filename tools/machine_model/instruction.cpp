// SPDX-License-Identifier: MIT
#include "tools/machine_model/instruction.hpp"

#include <algorithm>

namespace parley::machine_model {

namespace {

// An instruction without its prefixes.
struct Decoded {
    std::span<const std::uint8_t> opcode;
    bool locked = false;
    bool repeated = false;

    std::uint8_t at(std::size_t position) const { return position < opcode.size() ? opcode[position] : 0; }
    // The digit of the opcode that the byte after it holds.
    unsigned digit() const { return at(1) >> 3 & 7; }
    bool has_memory_operand() const { return at(1) < 0xc0; }
};

bool is_prefix(std::uint8_t byte)
{
    switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67: return true;
    default: return byte >= 0x40 && byte <= 0x4f;
    }
}

Decoded decode(std::span<const std::uint8_t> bytes)
{
    Decoded result{bytes};
    while (!result.opcode.empty()) {
        const std::uint8_t byte = result.opcode[0];
        if (byte == 0xf0)
            result.locked = true;
        else if (byte == 0xf2 || byte == 0xf3)
            result.repeated = true;
        else if (!is_prefix(byte))
            break;
        result.opcode = result.opcode.subspan(1);
    }
    return result;
}

bool is_string(std::uint8_t opcode)
{
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf);
}

InstructionClass classify_two_bytes(std::uint8_t opcode)
{
    switch (opcode) {
    case 0x05: // syscall
    case 0x07: // sysret
    case 0x00:
    case 0x01:
    case 0x06:
    case 0x08:
    case 0x09:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0xa2:
    case 0xae: return InstructionClass::system; // fences and saved states, too
    case 0xaf: return InstructionClass::multiply;
    case 0x2a:
    case 0x2c:
    case 0x2d:
    case 0x2e:
    case 0x2f:
    case 0xc2: return InstructionClass::floating;
    default: return opcode >= 0x51 && opcode <= 0x5f ? InstructionClass::floating : InstructionClass::plain;
    }
}

InstructionClass classify_unary(const Decoded& found)
{
    if (found.digit() == 4 || found.digit() == 5)
        return InstructionClass::multiply;
    return found.digit() >= 6 ? InstructionClass::divide : InstructionClass::plain;
}

} // namespace

InstructionClass classify(std::span<const std::uint8_t> bytes)
{
    const Decoded found = decode(bytes);
    const std::uint8_t opcode = found.at(0);
    if (found.locked)
        return InstructionClass::atomic;
    if (is_string(opcode))
        return InstructionClass::string;
    if (opcode >= 0xd8 && opcode <= 0xdf)
        return InstructionClass::floating;
    switch (opcode) {
    case 0x0f: return classify_two_bytes(found.at(1));
    case 0x69:
    case 0x6b: return InstructionClass::multiply;
    case 0xf6:
    case 0xf7: return classify_unary(found);
    case 0x88:
    case 0x89:
    case 0xc6:
    case 0xc7: return found.has_memory_operand() ? InstructionClass::store : InstructionClass::plain;
    case 0xa2:
    case 0xa3: return InstructionClass::store;
    case 0x86:
    case 0x87: return found.has_memory_operand() ? InstructionClass::atomic : InstructionClass::plain;
    case 0xc2:
    case 0xc3:
    case 0xe8: return InstructionClass::call;
    case 0xff: return found.digit() == 2 ? InstructionClass::indirect : InstructionClass::plain;
    case 0xcc:
    case 0xcd:
    case 0xcf:
    case 0xe4:
    case 0xe5:
    case 0xe6:
    case 0xe7:
    case 0xec:
    case 0xed:
    case 0xee:
    case 0xef:
    case 0xf4:
    case 0xfa:
    case 0xfb: return InstructionClass::system;
    default: return InstructionClass::plain;
    }
}

bool writes_what_it_reads(std::span<const std::uint8_t> bytes)
{
    const Decoded found = decode(bytes);
    const std::uint8_t opcode = found.at(0);
    if (opcode == 0xa4 || opcode == 0xa5) // movs
        return true;
    if (!found.has_memory_operand())
        return false;
    if (opcode < 0x40) // additions and the like to memory; the last row compares
        return opcode < 0x38 && (opcode & 7) < 2;
    switch (opcode) {
    case 0x0f: return false;
    case 0x80:
    case 0x81:
    case 0x83: return found.digit() != 7;
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: return true; // shifts
    case 0xf6:
    case 0xf7: return found.digit() == 2 || found.digit() == 3;
    case 0xfe:
    case 0xff: return found.digit() < 2;
    default: return false;
    }
}

Hint hint_of(std::span<const std::uint8_t> bytes)
{
    const Decoded found = decode(bytes);
    const bool is_write = found.at(1) == 0x0d;
    const Decoded operands{found.opcode.subspan(found.opcode.empty() ? 0 : 1)};
    if (found.at(0) != 0x0f || (!is_write && found.at(1) != 0x18) || !operands.has_memory_operand())
        return Hint::none;
    if (!is_write)
        return operands.digit() <= 3 ? Hint::to_read : Hint::none;
    return operands.digit() == 1 || operands.digit() == 2 ? Hint::to_write : Hint::to_read;
}

bool shows_place_of(std::span<const std::uint8_t> hint, std::span<const std::uint8_t> bytes)
{
    if (hint_of(hint) == Hint::none)
        return false;
    const Decoded asked = decode(hint), read = decode(bytes);
    const std::size_t prefixes = hint.size() - asked.opcode.size();
    // A byte for the opcode and one for the operands, places, and the constant.
    if (read.at(0) != 0xf6 || read.digit() != 0 || bytes.size() != hint.size() || read.opcode.back() != 0 ||
        !std::ranges::equal(hint.first(prefixes), bytes.first(bytes.size() - read.opcode.size())))
        return false;
    constexpr unsigned place_bits = 0xc7; // of the byte of operands, without the opcode's digit
    return (asked.at(2) & place_bits) == (read.at(1) & place_bits) &&
           std::ranges::equal(asked.opcode.subspan(3), read.opcode.subspan(2, read.opcode.size() - 3));
}

bool is_halt(std::span<const std::uint8_t> bytes)
{
    const Decoded found = decode(bytes);
    return !found.locked && !found.repeated && found.at(0) == 0xf4;
}

} // namespace parley::machine_model

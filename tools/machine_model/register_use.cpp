// SPDX-License-Identifier: MIT
#include "tools/machine_model/register_use.hpp"

#include <cstddef>

namespace parley::machine_model {

namespace {

constexpr unsigned stack_pointer = 4;

RegisterSet one(unsigned number) { return number == stack_pointer ? 0 : RegisterSet{1} << number; }

// An instruction's parts: prefixes, opcode, and the byte that names its operands.
struct Parts {
    std::span<const std::uint8_t> rest; // from the opcode on
    std::uint8_t extension = 0;         // the REX prefix, which has a further bit of each register's number

    std::uint8_t at(std::size_t place) const { return place < rest.size() ? rest[place] : 0; }
    unsigned high(unsigned bit) const { return (extension >> bit & 1U) << 3; }
};

Parts parts_of(std::span<const std::uint8_t> bytes)
{
    Parts parts{bytes};
    for (; !parts.rest.empty(); parts.rest = parts.rest.subspan(1)) {
        const std::uint8_t byte = parts.rest[0];
        if (byte >= 0x40 && byte <= 0x4f)
            parts.extension = byte;
        else if (byte != 0x26 && byte != 0x2e && byte != 0x36 && byte != 0x3e &&
                 (byte < 0x64 || byte > 0x67) && byte != 0xf0 && byte != 0xf2 && byte != 0xf3)
            break;
    }
    return parts;
}

// The operands that the byte after the opcode names.
struct Operands {
    RegisterSet first = 0;  // a register
    RegisterSet second = 0; // a register, or nothing where it is in memory
    RegisterSet address = 0;
    bool in_memory = false;
    unsigned digit = 0; // of the opcode, in place of the first
};

Operands operands_at(const Parts& parts, std::size_t place)
{
    const std::uint8_t byte = parts.at(place);
    Operands found;
    found.digit = byte >> 3 & 7;
    found.first = one(found.digit | parts.high(2));
    found.in_memory = byte < 0xc0;
    const unsigned low = byte & 7U;
    if (!found.in_memory) {
        found.second = one(low | parts.high(0));
        return found;
    }
    const bool no_base = byte < 0x40;
    if (low != 4) {
        if (!(no_base && low == 5)) // that is relative to the instruction
            found.address = one(low | parts.high(0));
        return found;
    }
    const std::uint8_t scaled = parts.at(place + 1);
    if (!(no_base && (scaled & 7) == 5))
        found.address |= one((scaled & 7U) | parts.high(0));
    found.address |= one((scaled >> 3 & 7U) | parts.high(1));
    return found;
}

RegisterUse with(const Operands& operands, RegisterSet read, RegisterSet written)
{
    return {operands.address, read, written, operands.in_memory, false};
}

// What computes of both operands and writes either.
RegisterUse mixed(const Operands& operands)
{
    const RegisterSet both = operands.first | operands.second;
    return with(operands, both | flags_register, both | flags_register);
}

bool touches_vectors(std::uint8_t opcode)
{
    return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2b) ||
           (opcode >= 0x51 && opcode <= 0x6f) || (opcode >= 0x70 && opcode <= 0x77) || opcode == 0x7f ||
           opcode == 0xc2 || opcode == 0xc6 || (opcode >= 0xd0 && opcode != 0xd7);
}

RegisterUse use_of_two_bytes(const Parts& parts)
{
    const std::uint8_t opcode = parts.at(1);
    if (opcode >= 0x80 && opcode <= 0x8f)
        return {0, flags_register, 0, false, true};
    if (opcode >= 0xc8 && opcode <= 0xcf) { // bswap
        const RegisterSet itself = one((opcode & 7U) | parts.high(0));
        return {0, itself, itself, false, false};
    }
    const Operands operands = operands_at(parts, 2);
    if (opcode == 0xb6 || opcode == 0xb7 || opcode == 0xbe || opcode == 0xbf) // movzx, movsx
        return with(operands, operands.second, operands.first);
    if (opcode >= 0x40 && opcode <= 0x4f) // cmov
        return with(operands, operands.first | operands.second | flags_register, operands.first);
    if (opcode >= 0x90 && opcode <= 0x9f) // setcc
        return with(operands, operands.second | flags_register, operands.second);
    if (opcode == 0x2e || opcode == 0x2f) // comparisons of vectors
        return with(operands, 0, flags_register);
    if (opcode == 0x1e || opcode == 0x1f || opcode == 0x18 || opcode == 0x0d) // nothing is done
        return {};
    if (touches_vectors(opcode))
        return with(operands, 0, 0);
    return mixed(operands);
}

// add, or, adc, sbb, and, sub, xor, cmp in their rows of eight opcodes.
RegisterUse use_of_arithmetic(const Parts& parts, std::uint8_t opcode)
{
    const bool compares = opcode >= 0x38;
    if ((opcode & 7) >= 4) // rax and a constant
        return {0, one(0), compares ? flags_register : one(0) | flags_register, false, false};
    const Operands operands = operands_at(parts, 1);
    RegisterSet read = operands.first | operands.second;
    const bool clears = (opcode == 0x31 || opcode == 0x33 || opcode == 0x29 || opcode == 0x2b) &&
                        !operands.in_memory && operands.first == operands.second;
    if (clears)
        read = 0;
    const RegisterSet target = (opcode & 2) != 0 ? operands.first : operands.second;
    return with(operands, read, (compares ? 0 : target) | flags_register);
}

} // namespace

RegisterUse register_use(std::span<const std::uint8_t> bytes)
{
    const Parts parts = parts_of(bytes);
    const std::uint8_t opcode = parts.at(0);
    if (opcode < 0x40 && (opcode & 7) < 6)
        return use_of_arithmetic(parts, opcode);
    if (opcode >= 0x50 && opcode <= 0x57) // push
        return {0, 0, 0, true, false};
    if (opcode >= 0x58 && opcode <= 0x5f) // pop
        return {0, 0, one((opcode & 7U) | parts.high(0)), true, false};
    if (opcode >= 0x70 && opcode <= 0x7f)
        return {0, flags_register, 0, false, true};
    if (opcode >= 0xb0 && opcode <= 0xbf)
        return {0, 0, one((opcode & 7U) | parts.high(0)), false, false};
    const Operands operands = operands_at(parts, 1);
    switch (opcode) {
    case 0x0f: return use_of_two_bytes(parts);
    case 0x63: // movsxd
    case 0x8a:
    case 0x8b: return with(operands, operands.second, operands.first);
    case 0x88:
    case 0x89: return with(operands, operands.first, operands.second);
    case 0x8d: return {0, operands.address, operands.first, false, false}; // lea
    case 0x84:
    case 0x85: return with(operands, operands.first | operands.second, flags_register); // test
    case 0x80:
    case 0x81:
    case 0x83:
        return with(operands, operands.second, (operands.digit == 7 ? 0 : operands.second) | flags_register);
    case 0x69:
    case 0x6b: return with(operands, operands.second, operands.first | flags_register);
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1: return with(operands, operands.second, operands.second | flags_register);
    case 0xc6:
    case 0xc7: return with(operands, 0, operands.second); // a constant
    case 0xf6:
    case 0xf7:
        if (operands.digit < 2)
            return with(operands, operands.second, flags_register);
        return with(operands, operands.second | one(0) | one(2),
                    operands.second | one(0) | one(2) | flags_register);
    case 0xfe:
    case 0xff: return with(operands, operands.second, operands.second | flags_register);
    case 0xa8:
    case 0xa9: return {0, one(0), flags_register, false, false};
    case 0xc9: return {one(5), 0, one(5), true, false}; // leave
    case 0xa4:
    case 0xa5:
    case 0xaa:
    case 0xab: return {one(6) | one(7), 0, 0, true, false}; // what moves and stores strings
    case 0x62:                                              // vectors by longer prefixes: no address is known
    case 0xc4:
    case 0xc5: return {0, 0, 0, true, false};
    case 0x86:
    case 0x87:
    case 0xd2:
    case 0xd3: return mixed(operands);
    case 0x90:
    case 0xc2:
    case 0xc3:
    case 0xe8:
    case 0xe9:
    case 0xeb: return {0, 0, 0, opcode == 0xc2 || opcode == 0xc3 || opcode == 0xe8, false};
    default: return {0, 0, 0, true, false};
    }
}

} // namespace parley::machine_model

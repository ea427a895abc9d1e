// SPDX-License-Identifier: MIT
#include "tools/machine_model/register_use.hpp"

#include <cstddef>

namespace parley::machine_model {

namespace {

constexpr unsigned stack_pointer = 4;
constexpr RegisterSet rax = 1, rcx = 2, rdx = 4, rbx = 8, rbp = 32, rsi = 64, rdi = 128;

RegisterSet one(unsigned number) { return number == stack_pointer ? 0 : RegisterSet{1} << number; }

// An instruction's parts: prefixes, opcode, and the byte that names its operands.
struct Parts {
    std::span<const std::uint8_t> rest; // from the opcode on
    unsigned map = 0;                   // which table has the opcode: one byte, after 0f, 0f 38, or 0f 3a
    std::uint8_t extension = 0;         // further bits of each register's number, as a REX prefix has them
    bool has_extension = false;
    bool is_narrow = false; // of 16 bits, or another table's instruction
    bool is_repeated = false;
    bool is_of_vectors = false; // by a VEX prefix
    unsigned other = 0;         // the further register that such a prefix names

    std::uint8_t at(std::size_t place) const { return place < rest.size() ? rest[place] : 0; }
    unsigned high(unsigned bit) const { return (extension >> bit & 1U) << 3; }
    void skip(std::size_t bytes) { rest = rest.subspan(bytes < rest.size() ? bytes : rest.size()); }
};

// What is after a VEX prefix, whose bits are the inverse of what they mean.
void take_vector_prefix(Parts& parts)
{
    const bool is_short = parts.at(0) == 0xc5;
    const std::uint8_t first = parts.at(1), last = parts.at(is_short ? 1 : 2);
    parts.map = is_short ? 1 : first & 0x1fU;
    parts.extension = static_cast<std::uint8_t>(is_short ? (~first >> 7 & 1) << 2 : ~first >> 5 & 7);
    parts.other = ~static_cast<unsigned>(last) >> 3 & 15U;
    parts.is_of_vectors = parts.has_extension = true;
    parts.skip(is_short ? 2 : 3);
}

Parts parts_of(std::span<const std::uint8_t> bytes)
{
    Parts parts{.rest = bytes};
    for (; !parts.rest.empty(); parts.skip(1)) {
        const std::uint8_t byte = parts.at(0);
        if (byte >= 0x40 && byte <= 0x4f) {
            parts.extension = byte;
            parts.has_extension = true;
        } else if (byte == 0x66) {
            parts.is_narrow = true;
        } else if (byte == 0xf2 || byte == 0xf3) {
            parts.is_repeated = true;
        } else if (byte != 0x26 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x64 &&
                   byte != 0x65 && byte != 0x67 && byte != 0xf0) {
            break;
        }
    }
    if (parts.at(0) == 0xc4 || parts.at(0) == 0xc5) {
        take_vector_prefix(parts);
    } else if (parts.at(0) == 0x0f) {
        parts.map = parts.at(1) == 0x38 ? 2 : parts.at(1) == 0x3a ? 3 : 1;
        parts.skip(parts.map == 1 ? 1 : 2);
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

// Without a REX prefix the bytes 4 to 7 are the second ones of registers 0 to 3.
RegisterSet of_byte(const Parts& parts, unsigned number)
{
    return one(!parts.has_extension && number >= 4 && number < 8 ? number - 4 : number);
}

Operands operands_of(const Parts& parts, bool first_is_byte, bool second_is_byte)
{
    const std::uint8_t byte = parts.at(1);
    Operands found;
    found.digit = byte >> 3 & 7;
    const unsigned first = found.digit | parts.high(2);
    found.first = first_is_byte ? of_byte(parts, first) : one(first);
    found.in_memory = byte < 0xc0;
    const unsigned low = byte & 7U;
    if (!found.in_memory) {
        const unsigned second = low | parts.high(0);
        found.second = second_is_byte ? of_byte(parts, second) : one(second);
        return found;
    }
    const bool no_base = byte < 0x40;
    if (low != 4) {
        if (!(no_base && low == 5)) // that is relative to the instruction
            found.address = one(low | parts.high(0));
        return found;
    }
    const std::uint8_t scaled = parts.at(2);
    if (!(no_base && (scaled & 7) == 5))
        found.address |= one((scaled & 7U) | parts.high(0));
    found.address |= one((scaled >> 3 & 7U) | parts.high(1));
    return found;
}

RegisterUse with(const Operands& operands, RegisterSet read, RegisterSet written)
{
    return {operands.address, read, written, operands.in_memory, false};
}

RegisterUse mixed(const Operands& operands, RegisterSet further = 0)
{
    const RegisterSet both = operands.first | operands.second | further | flags_register;
    return with(operands, both, both);
}

bool touches_vectors(std::uint8_t opcode)
{
    return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2b) ||
           (opcode >= 0x51 && opcode <= 0x6f) || (opcode >= 0x70 && opcode <= 0x76) || opcode == 0x7f ||
           opcode == 0xc2 || opcode == 0xc6 || (opcode >= 0xd0 && opcode != 0xd7);
}

RegisterUse use_after_0f(const Parts& parts)
{
    const std::uint8_t opcode = parts.at(0);
    if (opcode >= 0x80 && opcode <= 0x8f)
        return {0, flags_register, 0, false, true};
    if (opcode >= 0xc8 && opcode <= 0xcf) { // bswap
        const RegisterSet itself = one((opcode & 7U) | parts.high(0));
        return {0, itself, itself, false, false};
    }
    const bool sets = opcode >= 0x90 && opcode <= 0x9f;
    const Operands operands =
        operands_of(parts, opcode == 0xb0 || opcode == 0xc0,
                    sets || opcode == 0xb0 || opcode == 0xb6 || opcode == 0xbe || opcode == 0xc0);
    if (sets)
        return with(operands, operands.second | flags_register, operands.second);
    if (opcode >= 0x40 && opcode <= 0x4f) // cmov
        return with(operands, operands.first | operands.second | flags_register, operands.first);
    if (touches_vectors(opcode))
        return with(operands, 0, 0);
    switch (opcode) {
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf: return with(operands, operands.second, operands.first); // movzx, movsx
    case 0xc3: return with(operands, operands.first, 0);               // a store past the caches
    case 0x2e:
    case 0x2f: return with(operands, 0, flags_register); // comparisons of vectors
    case 0x0d:
    case 0x18:
    case 0x1e:
    case 0x1f:
    case 0x77: return {}; // nothing is done with registers
    case 0xa5:
    case 0xad: return mixed(operands, rcx); // shifts of two registers
    case 0xb0:
    case 0xb1: return mixed(operands, rax); // compare and exchange
    case 0xc7: return mixed(operands, rax | rbx | rcx | rdx);
    default: return mixed(operands);
    }
}

// add, or, adc, sbb, and, sub, xor, cmp in their rows of eight opcodes.
RegisterUse use_of_arithmetic(const Parts& parts, std::uint8_t opcode)
{
    const bool compares = opcode >= 0x38;
    const RegisterSet carried = opcode >= 0x10 && opcode <= 0x1f ? flags_register : 0;
    if ((opcode & 7) >= 4) // rax and a constant
        return {0, rax | carried, compares ? flags_register : rax | flags_register, false, false};
    const bool is_of_bytes = (opcode & 1) == 0;
    const Operands operands = operands_of(parts, is_of_bytes, is_of_bytes);
    RegisterSet read = operands.first | operands.second | carried;
    const bool clears = (opcode == 0x31 || opcode == 0x33 || opcode == 0x29 || opcode == 0x2b) &&
                        !operands.in_memory && operands.first == operands.second;
    if (clears)
        read = 0;
    const RegisterSet target = (opcode & 2) != 0 ? operands.first : operands.second;
    return with(operands, read, (compares ? 0 : target) | flags_register);
}

// What has its opcode in one byte, and is no such arithmetic.
RegisterUse use_of_one_byte(const Parts& parts)
{
    const std::uint8_t opcode = parts.at(0);
    const unsigned named = (opcode & 7U) | parts.high(0);
    if (opcode >= 0x50 && opcode <= 0x57) // push
        return {0, 0, 0, true, false};
    if (opcode >= 0x58 && opcode <= 0x5f) // pop
        return {0, 0, one(named), true, false};
    if (opcode >= 0x70 && opcode <= 0x7f)
        return {0, flags_register, 0, false, true};
    if (opcode >= 0x91 && opcode <= 0x97) // an exchange with rax
        return {0, rax | one(named), rax | one(named), false, false};
    if (opcode >= 0xb0 && opcode <= 0xb7)
        return {0, 0, of_byte(parts, named), false, false};
    if (opcode >= 0xb8 && opcode <= 0xbf)
        return {0, 0, one(named), false, false};
    const bool is_of_bytes = (opcode & 1) == 0 && opcode != 0x8e;
    const Operands operands = operands_of(parts, is_of_bytes, is_of_bytes);
    if (opcode >= 0xd8 && opcode <= 0xdf) // the numbers of x87, whose state comes to rax
        return with(operands, 0, opcode == 0xdf && !operands.in_memory ? rax : 0);
    switch (opcode) {
    case 0x63: // movsxd
    case 0x8a:
    case 0x8b: return with(operands, operands.second, operands.first);
    case 0x88:
    case 0x89: return with(operands, operands.first, operands.second);
    case 0x8d: return {0, operands.address, operands.first, false, false}; // lea
    case 0x8f: return {operands.address, 0, operands.second, true, false}; // pop
    case 0x84:
    case 0x85: return with(operands, operands.first | operands.second, flags_register); // test
    case 0x80:
    case 0x81:
    case 0x83:
        return with(operands, operands.second | flags_register,
                    (operands.digit == 7 ? 0 : operands.second) | flags_register);
    case 0x69:
    case 0x6b: return with(operands, operands.second, operands.first | flags_register);
    case 0x98: return {0, rax, rax, false, false};
    case 0x99: return {0, rax, rdx, false, false};
    case 0x9d: return {0, 0, flags_register, true, false}; // popf
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1: return with(operands, operands.second | flags_register, operands.second | flags_register);
    case 0xd2:
    case 0xd3:
        return with(operands, operands.second | rcx | flags_register, operands.second | flags_register);
    case 0xc6:
    case 0xc7: return with(operands, 0, operands.second); // a constant
    case 0xf6:
    case 0xf7:
        if (operands.digit < 2)
            return with(operands, operands.second, flags_register);
        if (operands.digit < 4)
            return with(operands, operands.second, operands.second | flags_register);
        return with(operands, operands.second | rax | rdx, rax | rdx | flags_register);
    case 0xff:
        if (operands.digit >= 2) // a call, jump or push, which also writes to the stack
            return {operands.address, operands.second, 0, true, false};
        [[fallthrough]];
    case 0xfe: return with(operands, operands.second, operands.second | flags_register);
    case 0xa0:
    case 0xa1: return {0, 0, rax, true, false};
    case 0xa8:
    case 0xa9: return {0, rax, flags_register, false, false};
    case 0xc9: return {rbp, 0, rbp, true, false}; // leave
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3: return {0, rcx | flags_register, 0, false, true}; // loops
    case 0x86:
    case 0x87: return mixed(operands);
    case 0x90:
    case 0xe9:
    case 0xeb: return {};
    default: return {0, 0, 0, true, false};
    }
}

RegisterUse use_of_string(const Parts& parts)
{
    const RegisterSet steps = parts.is_repeated ? rcx : 0;
    switch (parts.at(0) | 1) {
    case 0xa7: return {rsi | rdi | steps, 0, flags_register, true, false}; // compares
    case 0xad: return {rsi | steps, 0, rax, true, false};                  // loads
    case 0xaf: return {rdi | steps, rax, flags_register, true, false};     // looks for rax
    default: return {rsi | rdi | steps, 0, 0, true, false};                // moves, stores
    }
}

bool is_string(std::uint8_t opcode)
{
    return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
}

RegisterUse use_of_longer(const Parts& parts)
{
    const Operands operands = operands_of(parts, false, false);
    const bool is_general =
        parts.at(0) >= 0xf0 || (parts.map == 3 && parts.at(0) >= 0x14 && parts.at(0) <= 0x17);
    if (parts.is_of_vectors && !is_general)
        return with(operands, 0, 0);
    return mixed(operands, parts.is_of_vectors ? one(parts.other) | rdx : 0);
}

// Whether the instruction writes bytes: then the rest of the register that it writes keeps its value, so the
// instruction depends on it.
bool writes_bytes(const Parts& parts)
{
    const std::uint8_t opcode = parts.at(0);
    return parts.map == 0 &&
           ((opcode >= 0xb0 && opcode <= 0xb7) ||
            (opcode < 0xb0 && (opcode & 1) == 0 && (opcode < 0x40 || (opcode >= 0x80 && opcode <= 0x8a))) ||
            opcode == 0xac || opcode == 0xc6);
}

} // namespace

RegisterUse register_use(std::span<const std::uint8_t> bytes)
{
    const Parts parts = parts_of(bytes);
    const std::uint8_t opcode = parts.at(0);
    RegisterUse use;
    if (parts.map == 1)
        use = use_after_0f(parts);
    else if (parts.map != 0)
        use = use_of_longer(parts);
    else if (opcode < 0x40 && (opcode & 7) < 6)
        use = use_of_arithmetic(parts, opcode);
    else if (is_string(opcode))
        use = use_of_string(parts);
    else
        use = use_of_one_byte(parts);
    if (parts.is_narrow || writes_bytes(parts))
        use.read |= use.written & ~flags_register;
    return use;
}

} // namespace parley::machine_model

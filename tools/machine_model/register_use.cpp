// SPDX-License-Identifier: MIT
#include "tools/machine_model/register_use.hpp"

#include <cstddef>
#include <optional>

namespace parley::machine_model {

namespace {

constexpr unsigned stack_pointer = 4;
constexpr RegisterSet rax = 1, rcx = 2, rdx = 4, rbx = 8, rbp = 32, rsi = 64, rdi = 128, r11 = 2048;
constexpr RegisterSet flags = flags_register, vectors = vector_registers;
constexpr RegisterSet general = flags - 1;

RegisterSet one(unsigned number) { return number == stack_pointer ? 0 : RegisterSet{1} << number; }

enum class Prefix : std::uint8_t { none, p66, pf3, pf2 }; // as a VEX prefix numbers them

// An instruction's parts: prefixes, opcode, and the byte that names its operands.
struct Parts {
    std::span<const std::uint8_t> rest; // from the opcode on
    unsigned map = 0;                   // which table has the opcode: one byte, after 0f, 0f 38, or 0f 3a
    std::uint8_t extension = 0;         // further bits of each register's number, as a REX prefix has them
    bool has_extension = false;
    bool is_narrow = false;        // 66, which most instructions take for 16 bits
    Prefix repeats = Prefix::none; // f2 or f3, the last of them
    bool is_of_vectors = false;    // by a VEX prefix
    unsigned other = 0;            // the further register that such a prefix names

    std::uint8_t at(std::size_t place) const { return place < rest.size() ? rest[place] : 0; }
    std::uint8_t opcode() const { return at(0); }
    unsigned high(unsigned bit) const { return (extension >> bit & 1U) << 3; }
    bool is_repeated() const { return repeats != Prefix::none; }
    // Whether the constant at its end is none, as shifts take it: of its lowest bits.
    bool ends_in_nothing() const { return rest.empty() || (rest.back() & 31U) == 0; }
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
    const auto prefix = static_cast<Prefix>(last & 3);
    parts.is_narrow = prefix == Prefix::p66;
    parts.repeats = prefix == Prefix::p66 ? Prefix::none : prefix;
    parts.is_of_vectors = parts.has_extension = true;
    parts.skip(is_short ? 2 : 3);
}

bool is_other_prefix(std::uint8_t byte)
{
    return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x64 || byte == 0x65 ||
           byte == 0x67 || byte == 0xf0;
}

Parts parts_of(std::span<const std::uint8_t> bytes)
{
    Parts parts{.rest = bytes};
    for (; !parts.rest.empty(); parts.skip(1)) {
        const std::uint8_t byte = parts.at(0);
        const bool extends = byte >= 0x40 && byte <= 0x4f;
        if (byte == 0x66)
            parts.is_narrow = true;
        else if (byte == 0xf2 || byte == 0xf3)
            parts.repeats = byte == 0xf2 ? Prefix::pf2 : Prefix::pf3;
        else if (!extends && !is_other_prefix(byte))
            break;
        // One that another prefix follows means nothing.
        parts.extension = extends ? byte : 0;
        parts.has_extension = extends;
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

Operands operands_of(const Parts& parts, bool first_is_byte = false, bool second_is_byte = false)
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

RegisterUse with(const Operands& operands, RegisterSet read, RegisterSet written, RegisterSet kept = 0)
{
    return {.address = operands.address,
            .read = read,
            .written = written,
            .kept = kept,
            .has_memory = operands.in_memory};
}

RegisterUse without_memory(RegisterSet read, RegisterSet written, RegisterSet kept = 0)
{
    return {.read = read, .written = written, .kept = kept};
}

// What an instruction uses that reads or writes the stack; that address is always known.
RegisterUse on_stack(RegisterSet written = 0) { return {.written = written, .has_memory = true}; }

RegisterUse conditional_jump(RegisterSet read) { return {.read = read, .is_conditional_jump = true}; }

// What an instruction on vectors uses. All vectors are taken for one register, of which it writes a part.
RegisterUse of_vectors(const Operands& operands, RegisterSet further = 0)
{
    return with(operands, further, vectors, vectors);
}

// What nothing is known of.
RegisterUse mixed(const Operands& operands)
{
    const RegisterSet all = operands.first | operands.second | flags | vectors;
    return with(operands, all, all);
}

// What nothing at all is known of, its operands not either.
RegisterUse anything()
{
    const RegisterSet all = (general & ~(RegisterSet{1} << stack_pointer)) | flags | vectors;
    return {.address = all, .read = all, .written = all, .has_memory = true};
}

// Which opcodes after 0f are of vectors, where 66, f2 and f3 choose among instructions.
bool is_of_vectors_after_0f(std::uint8_t opcode)
{
    return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2f) ||
           (opcode >= 0x50 && opcode <= 0x76) || (opcode >= 0x7c && opcode <= 0x7f) || opcode == 0xc2 ||
           (opcode >= 0xc4 && opcode <= 0xc6) || (opcode >= 0xd0 && opcode <= 0xfe);
}

RegisterUse use_of_vectors_after_0f(const Parts& parts)
{
    Operands operands = operands_of(parts);
    switch (parts.opcode()) {
    case 0x2a: return of_vectors(operands, parts.is_repeated() ? operands.second : 0); // of a whole number
    case 0x2c:
    case 0x2d: // to one
        return parts.is_repeated() ? with(operands, vectors, operands.first) : of_vectors(operands);
    case 0x2e:
    case 0x2f: return with(operands, vectors, flags); // comparisons
    case 0x50:
    case 0xc5:
    case 0xd7: return with(operands, vectors, operands.first); // signs, or a word
    case 0x6e:
    case 0xc4: return of_vectors(operands, operands.second);
    case 0x7e: return parts.is_repeated() ? of_vectors(operands) : with(operands, vectors, operands.second);
    case 0xf7:
        operands.address |= rdi;
        operands.in_memory = true;
        return of_vectors(operands);
    default: return of_vectors(operands);
    }
}

// What enters or leaves the kernel, or is its alone.
RegisterUse use_of_system_after_0f(const Parts& parts)
{
    const Operands operands = operands_of(parts);
    const RegisterSet named = one((parts.at(1) & 7U) | parts.high(0)); // always a register
    switch (parts.opcode()) {
    case 0x00:
        if (operands.digit < 2)
            return with(operands, 0, operands.second);
        return with(operands, operands.second, operands.digit < 4 ? 0 : flags, flags);
    case 0x01:
        if (parts.at(1) == 0xf9) // rdtscp
            return without_memory(0, rax | rcx | rdx);
        if (parts.at(1) == 0xd0 || parts.at(1) == 0xee) // xgetbv, rdpkru
            return without_memory(rcx, rax | rdx);
        return with(operands, 0, operands.digit == 4 ? operands.second : 0);
    case 0x02:
    case 0x03: return with(operands, operands.second, operands.first | flags, operands.first | flags);
    case 0x05: return without_memory(flags, rcx | r11 | flags); // syscall
    case 0x07: return without_memory(rcx | r11, flags);
    case 0x20:
    case 0x21: return without_memory(0, named);
    case 0x31: return without_memory(0, rax | rdx); // rdtsc
    case 0x32:
    case 0x33: return without_memory(rcx, rax | rdx);
    case 0xa0:
    case 0xa1:
    case 0xa8:
    case 0xa9: return on_stack();
    case 0xa2: return without_memory(rax | rcx, rax | rbx | rcx | rdx); // cpuid
    case 0xae:
        if (operands.in_memory) // of which rax and rdx may say what parts are saved and restored
            return of_vectors(operands, operands.digit >= 4 && operands.digit <= 6 ? rax | rdx : 0);
        // Fences, and the bases of segments: read, or written.
        return without_memory(0, parts.repeats == Prefix::pf3 && operands.digit < 2 ? operands.second : 0);
    default: return {}; // it writes no register that counts
    }
}

bool is_of_system_after_0f(std::uint8_t opcode)
{
    return opcode < 0x10 || (opcode >= 0x18 && opcode <= 0x27) || (opcode >= 0x30 && opcode <= 0x37) ||
           opcode == 0x77 || (opcode >= 0xa0 && opcode <= 0xa2) || opcode == 0xa8 || opcode == 0xa9 ||
           opcode == 0xae || opcode == 0xb9 || opcode == 0xff;
}

// What an instruction on one bit uses. Where the bit lies in memory, its number is a part of the address.
RegisterUse use_of_bit(Operands operands, bool tests)
{
    if (operands.in_memory)
        operands.address |= operands.first;
    return with(operands, operands.first | operands.second, (tests ? 0 : operands.second) | flags, flags);
}

RegisterUse use_of_group_c7(const Parts& parts)
{
    const Operands operands = operands_of(parts);
    if (!operands.in_memory) // random numbers
        return with(operands, 0, operands.second | flags, flags);
    if (operands.digit == 1) // compare and exchange of two words
        return with(operands, rax | rbx | rcx | rdx, rax | rdx | flags, flags);
    return of_vectors(operands);
}

RegisterUse use_after_0f(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    if (is_of_system_after_0f(opcode))
        return use_of_system_after_0f(parts);
    if (is_of_vectors_after_0f(opcode))
        return use_of_vectors_after_0f(parts);
    if (opcode >= 0x80 && opcode <= 0x8f)
        return conditional_jump(flags);
    if (opcode >= 0xc8 && opcode <= 0xcf) { // bswap
        const RegisterSet itself = one((opcode & 7U) | parts.high(0));
        return without_memory(itself, itself);
    }
    const bool sets = opcode >= 0x90 && opcode <= 0x9f;
    const bool are_bytes = opcode == 0xb0 || opcode == 0xc0;
    const Operands operands =
        operands_of(parts, are_bytes, are_bytes || sets || opcode == 0xb6 || opcode == 0xbe);
    const RegisterSet first = operands.first, second = operands.second;
    if (sets)
        return with(operands, flags, second, second);
    if (opcode >= 0x40 && opcode <= 0x4f) // cmov
        return with(operands, first | second | flags, first);
    switch (opcode) {
    case 0xa3: return use_of_bit(operands, true);
    case 0xab:
    case 0xb3:
    case 0xbb: return use_of_bit(operands, false);
    case 0xba: return with(operands, second, (operands.digit == 4 ? 0 : second) | flags, flags);
    case 0xa4:
    case 0xac: // shifts of two registers
        return with(operands, first | second, second | flags, parts.ends_in_nothing() ? flags : 0);
    case 0xa5:
    case 0xad: return with(operands, first | second | rcx, second | flags, flags);
    case 0xaf: return with(operands, first | second, first | flags);
    case 0xb0:
    case 0xb1: return with(operands, first | second | rax, second | rax | flags); // compare and exchange
    case 0xb2:
    case 0xb4:
    case 0xb5: return with(operands, 0, first); // a pointer with its segment
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf: return with(operands, second, first); // movzx, movsx
    case 0xb8: return with(operands, second, first | flags);
    case 0xbc:
    case 0xbd: // the number of a bit; without f3 nothing is written where there is none
        return with(operands, second, first | flags, parts.repeats == Prefix::pf3 ? 0 : first);
    case 0xc0:
    case 0xc1: return with(operands, first | second, first | second | flags); // xadd
    case 0xc3: return with(operands, first, 0);                               // a store past the caches
    case 0xc7: return use_of_group_c7(parts);
    default: return mixed(operands);
    }
}

// add, or, adc, sbb, and, sub, xor, cmp in their rows of eight opcodes.
RegisterUse use_of_arithmetic(const Parts& parts, std::uint8_t opcode)
{
    const bool compares = opcode >= 0x38;
    const RegisterSet carried = opcode >= 0x10 && opcode <= 0x1f ? flags : 0;
    if ((opcode & 7) >= 4) // rax and a constant
        return without_memory(rax | carried, (compares ? 0 : rax) | flags);
    const bool is_of_bytes = (opcode & 1) == 0;
    const Operands operands = operands_of(parts, is_of_bytes, is_of_bytes);
    RegisterSet read = operands.first | operands.second | carried;
    const bool clears = (opcode == 0x31 || opcode == 0x33 || opcode == 0x29 || opcode == 0x2b) &&
                        !operands.in_memory && operands.first == operands.second;
    if (clears)
        read = 0;
    const RegisterSet target = (opcode & 2) != 0 ? operands.first : operands.second;
    return with(operands, read, (compares ? 0 : target) | flags);
}

// By a constant, or by rcx. Rotations change a part of the flags, and a shift by 0 none.
RegisterUse use_of_shift(const Operands& operands, RegisterSet by, bool may_be_by_nothing)
{
    const bool rotates = operands.digit < 4;
    const RegisterSet carried = operands.digit == 2 || operands.digit == 3 ? flags : 0;
    return with(operands, operands.second | by | carried, operands.second | flags,
                rotates || may_be_by_nothing ? flags : 0);
}

// test, not, neg, and products and quotients of rax and rdx.
RegisterUse use_of_unary(const Operands& operands, bool is_of_bytes)
{
    const RegisterSet second = operands.second, both = is_of_bytes ? rax : rax | rdx;
    switch (operands.digit) {
    case 0:
    case 1: return with(operands, second, flags);
    case 2: return with(operands, second, second);
    case 3: return with(operands, second, second | flags);
    case 4:
    case 5: return with(operands, second | rax, both | flags);
    default: return with(operands, second | both, both | flags);
    }
}

// The numbers of x87.
RegisterUse use_of_x87(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    const Operands operands = operands_of(parts);
    if (operands.in_memory)
        return opcode == 0xdd && operands.digit == 7 ? with(operands, vectors, 0) : of_vectors(operands);
    if (opcode == 0xdf && parts.at(1) == 0xe0) // its state, to rax
        return without_memory(vectors, rax, rax);
    if ((opcode == 0xdb || opcode == 0xdf) && (operands.digit == 5 || operands.digit == 6))
        return without_memory(vectors, flags | vectors); // comparisons
    const bool is_conditional = (opcode == 0xda || opcode == 0xdb) && operands.digit < 4;
    return without_memory(is_conditional ? flags : 0, vectors, vectors);
}

// Where the byte after the opcode names no operands.
std::optional<RegisterUse> use_without_operands(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    const unsigned number = (opcode & 7U) | parts.high(0);
    const RegisterSet named = one(number);
    if (opcode >= 0x50 && opcode <= 0x57)
        return on_stack();
    if (opcode >= 0x58 && opcode <= 0x5f)
        return on_stack(named);
    if (opcode >= 0x70 && opcode <= 0x7f)
        return conditional_jump(flags);
    if (opcode >= 0x90 && opcode <= 0x97) // an exchange with rax, which with itself is none
        return number == 0 ? RegisterUse{} : without_memory(rax | named, rax | named);
    if (opcode >= 0xb0 && opcode <= 0xb7)
        return without_memory(0, of_byte(parts, number));
    if (opcode >= 0xb8 && opcode <= 0xbf)
        return without_memory(0, named);
    switch (opcode) {
    case 0x98: return without_memory(rax, rax);
    case 0x99: return without_memory(rax, rdx);
    case 0x9d: return on_stack(flags); // popf
    case 0x9e: return without_memory(rax, flags, flags);
    case 0x9f: return without_memory(flags, rax, rax);
    case 0xa0:
    case 0xa1: return on_stack(rax); // of an address that the instruction has
    case 0xa8:
    case 0xa9: return without_memory(rax, flags);
    case 0xc8: return on_stack(rbp);                                                   // enter
    case 0xc9: return RegisterUse{.address = rbp, .written = rbp, .has_memory = true}; // leave
    case 0xcf: return on_stack(flags);                                                 // iret
    case 0xd7: return RegisterUse{.address = rax | rbx, .written = rax, .kept = rax, .has_memory = true};
    case 0xe0:
    case 0xe1: return conditional_jump(rcx | flags); // loops
    case 0xe2:
    case 0xe3: return conditional_jump(rcx);
    case 0xe4:
    case 0xe5:
    case 0xec:
    case 0xed: return without_memory(opcode >= 0xec ? rdx : 0, rax); // in
    case 0x9b:
    case 0xe6:
    case 0xe7:
    case 0xe9:
    case 0xeb:
    case 0xee:
    case 0xef:
    case 0xf4:
    case 0xf5:
    case 0xf8:
    case 0xf9:
    case 0xfa:
    case 0xfb:
    case 0xfc:
    case 0xfd: return RegisterUse{};
    default: return std::nullopt;
    }
}

// What has its opcode in one byte, and is no arithmetic of two operands.
RegisterUse use_of_one_byte(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    if (opcode >= 0xd8 && opcode <= 0xdf)
        return use_of_x87(parts);
    if (const auto use = use_without_operands(parts))
        return *use;
    if (opcode == 0x62) // longer vectors and masks, of which nothing is known here
        return anything();
    const bool is_of_bytes = (opcode & 1) == 0 && opcode != 0x8c && opcode != 0x8e;
    const Operands operands = operands_of(parts, is_of_bytes, is_of_bytes);
    const RegisterSet first = operands.first, second = operands.second;
    switch (opcode) {
    case 0x63: // movsxd
    case 0x8a:
    case 0x8b: return with(operands, second, first);
    case 0x88:
    case 0x89: return with(operands, first, second);
    case 0x8c: return with(operands, 0, second);               // of a segment's register
    case 0x8d: return without_memory(operands.address, first); // lea
    case 0x8e: return with(operands, second, 0);
    case 0x8f: return {.address = operands.address, .written = second, .has_memory = true}; // pop
    case 0x84:
    case 0x85: return with(operands, first | second, flags); // test
    case 0x86:
    case 0x87: return with(operands, first | second, first | second); // xchg
    case 0x80:
    case 0x81:
    case 0x83: {
        const RegisterSet carried = operands.digit == 2 || operands.digit == 3 ? flags : 0;
        return with(operands, second | carried, (operands.digit == 7 ? 0 : second) | flags);
    }
    case 0x69:
    case 0x6b: return with(operands, second, first | flags);
    case 0xc0:
    case 0xc1: return use_of_shift(operands, 0, parts.ends_in_nothing());
    case 0xd0:
    case 0xd1: return use_of_shift(operands, 0, false);
    case 0xd2:
    case 0xd3: return use_of_shift(operands, rcx, true);
    case 0xc6:
    case 0xc7: return with(operands, 0, second); // a constant
    case 0xf6:
    case 0xf7: return use_of_unary(operands, is_of_bytes);
    case 0xff:
        if (operands.digit >= 2) // a call or push, which also writes to the stack, or a jump
            return {.address = operands.address,
                    .read = second,
                    .has_memory = operands.in_memory || (operands.digit != 4 && operands.digit != 5)};
        [[fallthrough]];
    case 0xfe: return with(operands, second, second | flags, flags); // inc and dec leave the carry
    default: return on_stack();
    }
}

bool is_string(std::uint8_t opcode)
{
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf);
}

// Its pointers move on by what its address is computed of, and by no datum, unless the data end it.
RegisterUse use_of_string(const Parts& parts)
{
    const std::uint8_t kind = parts.opcode() | 1;
    const bool compares = kind == 0xa7, scans = kind == 0xaf;
    const RegisterSet pointers = compares || kind == 0xa5       ? rsi | rdi
                                 : kind == 0xad || kind == 0x6f ? rsi
                                                                : rdi;
    RegisterUse use{.address = pointers, .has_memory = true};
    if (scans)
        use.read = rax;
    if (compares || scans)
        use.written = flags;
    if (kind == 0xad)
        use.written = rax;
    if (!parts.is_repeated())
        return use;
    use.address |= rcx;
    if (compares || scans)
        use.written |= pointers | rcx;
    else
        use.advanced = pointers;
    use.kept = use.written; // where rcx is 0
    return use;
}

RegisterUse use_after_0f38(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    const bool of_byte_source = opcode == 0xf0 && parts.repeats == Prefix::pf2;
    Operands operands = operands_of(parts, false, of_byte_source);
    const RegisterSet first = operands.first, second = operands.second, other = one(parts.other);
    if (opcode == 0x17 || (parts.is_of_vectors && (opcode == 0x0e || opcode == 0x0f)))
        return with(operands, vectors, flags); // tests of vectors
    if (opcode < 0xf0) {
        if (opcode >= 0x90 && opcode <= 0x93) // gathered by addresses in a vector
            operands.address |= vectors;
        return of_vectors(operands);
    }
    if (!parts.is_of_vectors)
        switch (opcode) {
        case 0xf0:
        case 0xf1:
            if (parts.repeats == Prefix::pf2) // crc32
                return with(operands, first | second, first);
            return opcode == 0xf0 ? with(operands, 0, first) : with(operands, first, 0); // movbe
        case 0xf6: return with(operands, first | second | flags, first | flags, flags);  // adcx, adox
        default: return mixed(operands);
        }
    switch (opcode) {
    case 0xf2: return with(operands, other | second, first | flags); // andn
    case 0xf3: return with(operands, second, other | flags);         // the lowest bit
    case 0xf5: return with(operands, other | second, first | (parts.is_repeated() ? 0 : flags));
    case 0xf6: return with(operands, second | rdx, first | other); // mulx
    case 0xf7:                                                     // bextr, and shifts that leave the flags
        return with(operands, other | second, first | (parts.is_repeated() || parts.is_narrow ? 0 : flags));
    default: return mixed(operands);
    }
}

RegisterUse use_after_0f3a(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    const Operands operands = operands_of(parts);
    if (parts.is_of_vectors && opcode == 0xf0) // rorx
        return with(operands, operands.second, operands.first);
    if (opcode >= 0x14 && opcode <= 0x17)
        return with(operands, vectors, operands.second);
    if (opcode == 0x20 || opcode == 0x22)
        return of_vectors(operands, operands.second);
    if (opcode >= 0x60 && opcode <= 0x63) { // comparisons of texts, of lengths in rax and rdx or none
        const RegisterSet found = (opcode & 1) != 0 ? rcx : vectors;
        return with(operands, vectors | (opcode < 0x62 ? rax | rdx : 0), found | flags);
    }
    return of_vectors(operands);
}

// Whether the instruction writes bytes: then the rest of the register that it writes keeps its value.
bool writes_bytes(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    if (parts.map == 1)
        return opcode == 0xb0 || opcode == 0xc0;
    if (parts.map != 0)
        return false;
    if (opcode >= 0xb0 && opcode <= 0xb7)
        return true;
    return (opcode & 1) == 0 && (opcode < 0x40 || (opcode >= 0x80 && opcode <= 0x8a) || opcode == 0xa0 ||
                                 opcode == 0xac || opcode == 0xc0 || opcode == 0xc6 || opcode == 0xd0 ||
                                 opcode == 0xd2 || opcode == 0xe4 || opcode == 0xec || opcode >= 0xf6);
}

// Whether it writes 16 bits, of which the same is so.
bool writes_narrow(const Parts& parts)
{
    if (!parts.is_narrow || parts.is_of_vectors || (parts.extension & 8) != 0)
        return false;
    switch (parts.map) {
    case 0: return true;
    case 1: return !is_of_vectors_after_0f(parts.opcode()) && !is_of_system_after_0f(parts.opcode());
    case 2: return parts.opcode() == 0xf0 && !parts.is_repeated(); // movbe
    default: return false;
    }
}

RegisterUse use_by_table(const Parts& parts)
{
    const std::uint8_t opcode = parts.opcode();
    switch (parts.map) {
    case 0: break;
    case 1: return use_after_0f(parts);
    case 2: return use_after_0f38(parts);
    case 3: return use_after_0f3a(parts);
    default: return mixed(operands_of(parts));
    }
    if (opcode < 0x40 && (opcode & 7) < 6)
        return use_of_arithmetic(parts, opcode);
    return is_string(opcode) ? use_of_string(parts) : use_of_one_byte(parts);
}

} // namespace

RegisterUse register_use(std::span<const std::uint8_t> bytes)
{
    const Parts parts = parts_of(bytes);
    RegisterUse use = use_by_table(parts);
    if (writes_bytes(parts) || writes_narrow(parts))
        use.kept |= use.written & general;
    return use;
}

} // namespace parley::machine_model

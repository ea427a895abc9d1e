// SPDX-License-Identifier: MIT
// The parts of the ELF64 format that a loader of static x86-64 Linux programs reads.
#pragma once

#include <cstdint>

namespace parley::kernel::elf {

struct Header {
    std::uint8_t magic[4];
    std::uint8_t word_class;
    std::uint8_t byte_order;
    std::uint8_t ident_version;
    std::uint8_t padding[9];
    std::uint16_t type;
    std::uint16_t machine;
    std::uint32_t version;
    std::uint64_t entry;
    std::uint64_t program_headers;
    std::uint64_t section_headers;
    std::uint32_t flags;
    std::uint16_t header_bytes;
    std::uint16_t program_header_bytes;
    std::uint16_t program_header_count;
    std::uint16_t section_header_bytes;
    std::uint16_t section_header_count;
    std::uint16_t section_names;
};
static_assert(sizeof(Header) == 64);

struct ProgramHeader {
    std::uint32_t type;
    std::uint32_t flags;
    std::uint64_t offset;
    std::uint64_t address;
    std::uint64_t physical;
    std::uint64_t file_bytes;
    std::uint64_t memory_bytes;
    std::uint64_t alignment;
};
static_assert(sizeof(ProgramHeader) == 56);

inline constexpr std::uint8_t class_64 = 2;
inline constexpr std::uint8_t little_endian = 1;
inline constexpr std::uint16_t type_fixed = 2;       // ET_EXEC
inline constexpr std::uint16_t type_independent = 3; // ET_DYN
inline constexpr std::uint16_t machine_x86_64 = 62;

inline constexpr std::uint32_t load = 1;        // PT_LOAD
inline constexpr std::uint32_t interpreter = 3; // PT_INTERP

inline constexpr std::uint32_t executable = 1; // PF_X
inline constexpr std::uint32_t writable = 2;   // PF_W

} // namespace parley::kernel::elf

// SPDX-License-Identifier: MIT
// For host tests: makes small ELF files whose every field can be set wrong.
#pragma once

#include "kernel/program/elf.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace parley::kernel::testing {

struct ExecutableBuilder {
    static constexpr std::size_t file_bytes = 0x3100;

    elf::Header header{};
    std::vector<elf::ProgramHeader> segments;

    // Code at 0x1000 above `base`, data with 0x1000 bytes of zeroes after it at 0x2f00, the headers in the
    // first segment.
    explicit ExecutableBuilder(std::uint16_t type, std::uint64_t base = 0)
    {
        std::memcpy(header.magic,
                    "\x7f"
                    "ELF",
                    4);
        header.word_class = elf::class_64;
        header.byte_order = elf::little_endian;
        header.type = type;
        header.machine = elf::machine_x86_64;
        header.entry = base + 0x1010;
        header.program_headers = sizeof header;
        header.program_header_bytes = sizeof(elf::ProgramHeader);
        add(elf::load, 4, 0, base, 0x200, 0x200);
        add(elf::load, 5, 0x1000, base + 0x1000, 0x800, 0x800);
        add(elf::load, 6, 0x2f00, base + 0x2f00, 0x200, 0x1200);
    }

    void add(std::uint32_t type, std::uint32_t flags, std::uint64_t offset, std::uint64_t address,
             std::uint64_t file, std::uint64_t memory)
    {
        segments.push_back({type, flags, offset, address, address, file, memory, 0x1000});
    }

    std::vector<std::byte> build() const
    {
        elf::Header final = header;
        final.program_header_count = static_cast<std::uint16_t>(segments.size());
        std::vector<std::byte> file(file_bytes);
        for (std::size_t at = 0; at < file.size(); ++at)
            file[at] = static_cast<std::byte>(at * 7);
        std::memcpy(file.data(), &final, sizeof final);
        std::memcpy(file.data() + sizeof final, segments.data(), segments.size() * sizeof segments[0]);
        return file;
    }
};

} // namespace parley::kernel::testing

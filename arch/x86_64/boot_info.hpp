// SPDX-License-Identifier: MIT
// What the boot loader says about the machine, the same for PVH (the emulator's direct boot) and Multiboot2
// (GRUB). Copied out of the loader's memory, which is free afterwards.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <string_view>

namespace parley::arch {

struct MemoryRange {
    PhysAddr start;
    PhysAddr end;
};

struct BootInfo {
    static constexpr std::size_t max_ranges = 32;

    const char* loader = "";
    MemoryRange memory[max_ranges] = {}; // usable memory, as the firmware reports it
    std::size_t memory_count = 0;
    MemoryRange module;   // the archive; empty when there is none
    PhysAddr acpi_root;   // the RSDP; 0: search for it
    PhysAddr text_screen; // its characters; 0: the loader left none
    char command_line[2048] = {};

    void add_memory(std::uint64_t start, std::uint64_t bytes);
    void set_command_line(std::string_view text);
};

// Error::bad_argument when the loader is neither.
Result<void> read_boot_info(BootInfo& into, std::uint32_t magic, PhysAddr information);

} // namespace parley::arch

// SPDX-License-Identifier: GPL-2.0-or-later
// The machine's memory as this process has it mapped, where the emulator keeps it in a file of its own
// (-object memory-backend-memfd,share=on): found in the operating system's list of mappings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::machine_model {

class GuestMemory {
public:
    // Looks for it; called once the emulator has made it.
    static GuestMemory find();

    bool is_found() const { return !parts_.empty(); }
    // Where in the memory the byte at this host address lies; of what lies elsewhere, nothing is known: 0.
    std::uint64_t offset_of(const void* host_address) const;
    // The host address of a byte of the memory; null where it has none.
    std::byte* at(std::uint64_t offset) const;

private:
    struct Part {
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uint64_t offset;
    };
    std::vector<Part> parts_;
};

} // namespace parley::machine_model

// SPDX-License-Identifier: MIT
// Names for addresses of the kernel's text. The tables are made from the linked kernel by
// tools/kernel_symbols.py and linked in behind everything else, so that they move nothing.
#pragma once

#include <cstdint>
#include <string_view>

namespace parley::kernel {

struct SourceLocation {
    std::string_view function; // empty: not an address of the kernel's text
    std::string_view file;
    unsigned line = 0;
};

SourceLocation find_source(std::uint64_t address);

} // namespace parley::kernel

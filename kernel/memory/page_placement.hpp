// SPDX-License-Identifier: MIT
// Which memory bank the programs' pages of a domain are to lie in.
#pragma once

#include <cstdint>

namespace parley::kernel {

class PagePlacement {
public:
    // Of the page at that address.
    virtual unsigned bank_of(std::uintptr_t page) const = 0;

protected:
    ~PagePlacement() = default;
};

} // namespace parley::kernel

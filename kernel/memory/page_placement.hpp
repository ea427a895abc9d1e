// SPDX-License-Identifier: MIT
// Which part of memory the programs' pages of a domain are to lie in, where memory is divided into banks
// (FramePool::divide).
#pragma once

#include <cstdint>

namespace parley::kernel {

class PagePlacement {
public:
    // The bank that the page at that address is to lie in.
    virtual unsigned bank_of(std::uintptr_t page) const = 0;
    // A page has been given a frame, in its bank or in another one, since that had none left.
    virtual void note(bool there) = 0;

protected:
    ~PagePlacement() = default;
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// Says in which bank of memory each private page of a domain, or each page of a job's shared region, is to
// lie, where memory is divided into banks (FramePool::divide). The domain or the region calls it for one page
// at a time.
#pragma once

#include <cstdint>

namespace parley::kernel {

class PagePlacement {
public:
    // Answers in which bank the page at that address is to lie; of a region, at that offset.
    virtual unsigned bank_of(std::uintptr_t page) const = 0;
    // A page has got a frame: in its bank, or in another one because its own had none left.
    virtual void note(bool there) = 0;

protected:
    ~PagePlacement() = default;
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What loading a program and serving its memory calls need of an address space. The kernel's Domain is one;
// host tests bring their own. Ranges are whole pages; errors are Error::no_memory and Error::bad_argument.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::kernel {

// What a user program may do with a region. `none` reserves the addresses: any touch is a fault.
enum class Protection : unsigned char { none, read, read_write, read_execute };

// Whether map() may take the place of pages that are already there.
enum class Replace : bool { no, yes };

class AddressSpace {
public:
    // Lowest and one past the highest address a user program can have.
    static constexpr std::uintptr_t user_start = 0x10000;
    static constexpr std::uintptr_t user_end = 0x7fff'ffff'0000;

    // Reserves `bytes`, rounded up to pages, of zeroed memory. `start` 0: anywhere. bad_argument when the
    // range is not user space, or is taken and `replace` says no.
    virtual Result<UserAddress> map(UserAddress start, std::size_t bytes, Protection protection,
                                    Replace replace) = 0;
    // Holes in the range are no error.
    virtual Result<void> unmap(UserAddress start, std::size_t bytes) = 0;
    // Error::bad_argument when part of the range is not mapped.
    virtual Result<void> protect(UserAddress start, std::size_t bytes, Protection protection) = 0;
    // The program's own pages in the range are zero again, where it may touch them. Holes are no error.
    virtual Result<void> discard(UserAddress start, std::size_t bytes) = 0;
    // Whether all of the range is mapped.
    virtual bool covers(UserAddress start, std::size_t bytes) = 0;
    // Writes, whatever the pages' protection is: for loaders, before the program runs. The range must be
    // mapped.
    virtual Result<void> store(UserAddress to, const void* from, std::size_t bytes) = 0;

protected:
    ~AddressSpace() = default;
};

} // namespace parley::kernel

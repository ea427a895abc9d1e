// SPDX-License-Identifier: MIT
// The area that brk grows and shrinks, between two fixed addresses (whole pages).
#pragma once

#include "kernel/program/address_space.hpp"

namespace parley::kernel {

class Heap {
public:
    // Memory is mapped this far ahead, so that many small steps do not become many small regions.
    static constexpr std::size_t grain = 1 << 20;

    Heap(AddressSpace& space, UserAddress start, UserAddress limit)
        : space_(space), start_(start), limit_(limit), end_(start), mapped_(start)
    {
    }
    Heap(const Heap&) = delete;

    UserAddress end() const { return end_; }
    // Moves the end when that is possible. What was given up reads as zeroes when it comes back.
    void move_end(UserAddress wanted);

private:
    AddressSpace& space_;
    const UserAddress start_;
    const UserAddress limit_;
    UserAddress end_;
    UserAddress mapped_;
};

} // namespace parley::kernel

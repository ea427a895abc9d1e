// SPDX-License-Identifier: MIT
// Addresses that must not be mixed up: a user program's, and physical ones. Neither converts to a pointer by
// itself; only the architecture's user copy and page tables access the memory that they name.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace parley {

// An address in the calling process's address space. It may have any value; only the user copy may access
// what is there.
struct UserAddress {
    std::uintptr_t value = 0;
    auto operator<=>(const UserAddress&) const = default;
    constexpr UserAddress operator+(std::size_t bytes) const { return {value + bytes}; }
};

// An address on the memory bus.
struct PhysAddr {
    std::uint64_t value = 0;
    auto operator<=>(const PhysAddr&) const = default;
    constexpr PhysAddr operator+(std::uint64_t bytes) const { return {value + bytes}; }
};

inline constexpr std::size_t page_bytes = 4096;

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t unit) { return value / unit * unit; }
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit)
{
    return round_down(value + unit - 1, unit);
}

} // namespace parley

// SPDX-License-Identifier: MIT
// Where a program's parts lie in its domain. Each process of a shared domain has a place of its own, 64 GiB
// wide: image, heap behind it, stack at the end. A process with a domain to itself uses place 0.
#pragma once

#include "kernel/program/executable.hpp"

namespace parley::kernel {

inline constexpr std::uintptr_t places_start = 0x4000'0000'0000;
inline constexpr std::uintptr_t place_bytes = 0x10'0000'0000;
inline constexpr std::size_t stack_bytes = 8 << 20;

// Programs linked at fixed addresses.
inline constexpr ImageWindow fixed_window{AddressSpace::user_start, 0x1000'0000'0000};

constexpr std::uintptr_t place_start(unsigned place) { return places_start + place * place_bytes; }
constexpr UserAddress stack_top(unsigned place) { return {place_start(place + 1) - page_bytes}; }
constexpr UserAddress stack_low(unsigned place) { return {stack_top(place).value - stack_bytes}; }
constexpr UserAddress heap_limit(unsigned place) { return {stack_low(place).value - (1ul << 30)}; }
constexpr ImageWindow image_window(unsigned place) { return {place_start(place), heap_limit(place).value}; }

// Whether an address lies just below a stack: a touch there means that the stack is full.
constexpr bool below_a_stack(UserAddress address)
{
    constexpr std::uintptr_t near = 1 << 20;
    if (address.value < places_start)
        return false;
    const auto place = static_cast<unsigned>((address.value - places_start) / place_bytes);
    const std::uintptr_t low = stack_low(place).value;
    return address.value < low && address.value >= low - near;
}

} // namespace parley::kernel

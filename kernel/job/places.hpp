// SPDX-License-Identifier: MIT
// Where a program's parts lie in its domain: image, heap behind it, stack at the end. Place 0 is for a
// process with a domain to itself. It ends below 2 GiB, because programs of 32-bit machines keep addresses in
// an int: C functions used without a declaration, Fortran's LOC and %VAL. Each process of a shared domain has
// one of the other places, 8 GiB wide: as many as a job may have processes.
#pragma once

#include "interface/limits.h"
#include "kernel/program/executable.hpp"

namespace parley::kernel {

inline constexpr std::uintptr_t low_place_start = 0x1000'0000;
inline constexpr std::uintptr_t low_place_end = 0x8000'0000;
inline constexpr std::uintptr_t places_start = 0x4000'0000'0000;
inline constexpr std::uintptr_t place_bytes = 0x2'0000'0000;
inline constexpr std::size_t stack_bytes = 8 << 20;

// Programs linked at fixed addresses.
inline constexpr ImageWindow fixed_window{AddressSpace::user_start, 0x1000'0000'0000};

constexpr std::uintptr_t place_start(unsigned place)
{
    return place == 0 ? low_place_start : places_start + (place - 1) * place_bytes;
}

constexpr std::uintptr_t place_end(unsigned place)
{
    return place == 0 ? low_place_end : places_start + place * place_bytes;
}

static_assert(place_end(PARLEY_MAX_PROCESSES) <= AddressSpace::user_end);

// The place of a process that shares its domain with others.
constexpr unsigned shared_place(unsigned endpoint) { return endpoint + 1; }

constexpr UserAddress stack_top(unsigned place) { return {place_end(place) - page_bytes}; }
constexpr UserAddress stack_low(unsigned place) { return {stack_top(place).value - stack_bytes}; }
constexpr UserAddress heap_limit(unsigned place) { return {stack_low(place).value - (128ul << 20)}; }
constexpr ImageWindow image_window(unsigned place) { return {place_start(place), heap_limit(place).value}; }

// Whether an address lies just below a stack: a touch there means that the stack is full.
constexpr bool below_a_stack(UserAddress address)
{
    constexpr std::uintptr_t near = 1 << 20;
    const std::uintptr_t past = address.value - places_start;
    const unsigned place = address.value < places_start ? 0 : static_cast<unsigned>(past / place_bytes) + 1;
    const std::uintptr_t low = stack_low(place).value;
    return address.value < low && address.value >= low - near;
}

} // namespace parley::kernel

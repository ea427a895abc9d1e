// SPDX-License-Identifier: MIT
// Where a program's parts lie in its domain: image, heap behind it, stack at the end. Slot 0 is for a
// process with a domain to itself. It ends below 2 GiB, because programs of 32-bit machines keep addresses in
// an int: C functions used without a declaration, Fortran's LOC and %VAL. Each process of a shared domain has
// one of the other slots, 8 GiB wide: as many as a job may have processes.
#pragma once

#include "interface/limits.h"
#include "kernel/program/executable.hpp"

namespace parley::kernel {

inline constexpr std::uintptr_t low_slot_start = 0x1000'0000;
inline constexpr std::uintptr_t low_slot_end = 0x8000'0000;
inline constexpr std::uintptr_t domain_slots_start = 0x4000'0000'0000;
inline constexpr std::uintptr_t domain_slot_bytes = 0x2'0000'0000;
inline constexpr std::size_t stack_bytes = 8 << 20;

// Programs linked at fixed addresses.
inline constexpr ImageWindow fixed_window{AddressSpace::user_start, 0x1000'0000'0000};

constexpr std::uintptr_t domain_slot_start(unsigned slot)
{
    return slot == 0 ? low_slot_start : domain_slots_start + (slot - 1) * domain_slot_bytes;
}

constexpr std::uintptr_t domain_slot_end(unsigned slot)
{
    return slot == 0 ? low_slot_end : domain_slots_start + slot * domain_slot_bytes;
}

static_assert(domain_slot_end(PARLEY_MAX_PROCESSES) <= AddressSpace::user_end);

// The slot of a process that shares its domain with others.
constexpr unsigned shared_slot(unsigned endpoint) { return endpoint + 1; }

constexpr UserAddress stack_top(unsigned slot) { return {domain_slot_end(slot) - page_bytes}; }
constexpr UserAddress stack_low(unsigned slot) { return {stack_top(slot).value - stack_bytes}; }
constexpr UserAddress heap_limit(unsigned slot) { return {stack_low(slot).value - (128ul << 20)}; }
constexpr ImageWindow image_window(unsigned slot)
{
    return {domain_slot_start(slot), heap_limit(slot).value};
}

// Whether an address lies just below a stack: a touch there means that the stack is full.
constexpr bool below_a_stack(UserAddress address)
{
    constexpr std::uintptr_t near = 1 << 20;
    const std::uintptr_t past = address.value - domain_slots_start;
    const unsigned slot =
        address.value < domain_slots_start ? 0 : static_cast<unsigned>(past / domain_slot_bytes) + 1;
    const std::uintptr_t low = stack_low(slot).value;
    return address.value < low && address.value >= low - near;
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// What a processor saves and loads of a process when it goes over from one to another.
#pragma once

#include "base/address.hpp"

#include <cstdint>

namespace parley::arch {

struct FloatingPoint; // the port's own

struct ExecutionState {
    void* context = nullptr;        // where it goes on, as the port made or saved it
    std::uint64_t kernel_stack = 0; // its top: for entries from user mode
    PhysAddr address_space;         // 0: it runs in the kernel only
    std::uint64_t thread_pointer = 0;
    FloatingPoint* floating_point = nullptr; // null: it uses none, and has no thread pointer
};

} // namespace parley::arch

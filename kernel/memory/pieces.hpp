// SPDX-License-Identifier: MIT
// Long work on a range of addresses, in pieces between which interrupts are taken, so that neither the tick
// nor another process waits for all of it.
#pragma once

#include "kernel/process/preemption.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::kernel {

// A piece is some 16,000 pages, which take about two milliseconds.
inline constexpr std::uintptr_t piece_bytes = std::uintptr_t{64} << 20;

// Calls visit(from, to) for each piece of [start, end) in turn. The caller holds no lock.
template <class Visit>
void for_each_piece(std::uintptr_t start, std::uintptr_t end, const Visit& visit)
{
    while (start < end) {
        const std::uintptr_t to = end - start > piece_bytes ? start + piece_bytes : end;
        visit(start, to);
        start = to;
        preemption_point();
    }
}

} // namespace parley::kernel

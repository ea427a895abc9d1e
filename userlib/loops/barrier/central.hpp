// SPDX-License-Identifier: MIT
// All threads count themselves in at one word, and the last to come lets the others go.
#pragma once

#include "userlib/loops/barrier/barrier.hpp"

#include <string_view>

namespace parley::loops {

class CentralBarrier final : public Barrier {
public:
    static constexpr std::string_view name = "central";
    static constexpr std::string_view promise =
        "threads count themselves in at one word, and wait for another";

    explicit CentralBarrier(const BarrierParts& parts)
        : wait_(parts.wait), threads_(parts.threads), missing_(parts.threads)
    {
    }

    void meet(unsigned, Meanwhile& meanwhile) override
    {
        const std::uint32_t before = all_here_.seen();
        if (!came_last())
            wait_.until_moved(all_here_, before, meanwhile);
    }
    void gather(unsigned number, Meanwhile& meanwhile) override
    {
        const std::uint32_t before = all_here_.seen();
        if (!came_last() && number == 0)
            wait_.until_moved(all_here_, before, meanwhile);
    }

private:
    // Nobody counts itself in again before it has seen the signal, which is moved on behind the new count.
    bool came_last()
    {
        if (missing_.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return false;
        missing_.store(threads_, std::memory_order_relaxed);
        all_here_.move_on();
        return true;
    }

    Wait& wait_;
    unsigned threads_;
    alignas(line_bytes) Atomic<std::uint32_t> missing_;
    Signal all_here_;
};

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// What others have asked a process to do as soon as it can. It is one word, so that one load on the way
// out of the kernel shows that there is nothing to do. All accesses are sequentially consistent, because
// each use pairs a store on one side with a load on the other.
#pragma once

#include "base/atomic.hpp"
#include <cstdint>

namespace parley::sched {

class PendingWork {
public:
    // The process itself calls this on its way out of the kernel. Anybody may call the functions that set.
    bool any() const { return word_.load(std::memory_order_seq_cst) != 0; }

    // It must end at the next place where it can.
    bool killed() const { return is_set(kill_bit); }
    void set_killed(bool killed) { set(kill_bit, killed); }

    // Its program is to be interrupted.
    bool interrupted() const { return is_set(interrupt_bit); }
    void set_interrupted(bool interrupted) { set(interrupt_bit, interrupted); }

private:
    static constexpr std::uint32_t kill_bit = 1;
    static constexpr std::uint32_t interrupt_bit = 2;

    bool is_set(std::uint32_t bit) const { return (word_.load(std::memory_order_seq_cst) & bit) != 0; }
    void set(std::uint32_t bit, bool value)
    {
        if (value)
            word_.fetch_or(bit, std::memory_order_seq_cst);
        else
            word_.fetch_and(~bit, std::memory_order_seq_cst);
    }

    Atomic<std::uint32_t> word_{0};
};

} // namespace parley::sched

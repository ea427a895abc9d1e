// SPDX-License-Identifier: MIT
// The machine's memory as banks, each a part of its addresses, as on C.mmp, so that a page lies in one; and
// an instrument: at its tick each processor notes the bank that the instruction comes from which its
// program is at, and how many processors did so last. Where pages lie and who is there at the same time is
// observed; the emulator's memory has no banks that could make anybody wait, so what this would cost is the
// business of a model (studies/cmmp/tools/cmmp/banks.py).
#pragma once

#include "base/atomic.hpp"
#include "interface/limits.h"

#include <cstdint>
#include <optional>

namespace parley::cmmp {

class MemoryBanks {
public:
    static constexpr unsigned most = 16;      // C.mmp's
    static constexpr unsigned most_load = 16; // and its processors; more count as so many

    explicit MemoryBanks(unsigned count) : count_(count) { }

    unsigned count() const { return count_; }

    // A page was to lie in a bank, and does, or does not.
    void note_page(bool there) { ++(there ? placed_ : elsewhere_); }

    // At a tick of that processor; nothing: it was not at a program's instruction.
    void note(unsigned processor, std::optional<unsigned> bank)
    {
        last_[processor].store(bank ? *bank + 1 : 0, std::memory_order_relaxed);
        if (!bank)
            return;
        unsigned load = 0;
        for (const Atomic<unsigned>& last : last_)
            load += last.load(std::memory_order_relaxed) == *bank + 1 ? 1 : 0;
        ++samples_[*bank][(load < most_load ? load : most_load) - 1];
    }

    // What has been counted since this was last called: visit(bank, load, samples), where there were any.
    // Where processors were is forgotten, for one without work may not tick for long.
    template <class Visit>
    void take_samples(const Visit& visit)
    {
        for (Atomic<unsigned>& last : last_)
            last.store(0, std::memory_order_relaxed);
        for (unsigned bank = 0; bank < count_; ++bank) {
            for (unsigned load = 1; load <= most_load; ++load) {
                if (const std::uint64_t found = take(samples_[bank][load - 1]); found != 0)
                    visit(bank, load, found);
            }
        }
    }
    std::uint64_t take_placed() { return take(placed_); }
    std::uint64_t take_elsewhere() { return take(elsewhere_); }

private:
    static std::uint64_t take(Atomic<std::uint64_t>& counter)
    {
        return counter.exchange(0, std::memory_order_relaxed);
    }

    const unsigned count_;
    Atomic<unsigned> last_[PARLEY_MAX_PROCESSORS] = {}; // of each processor: its bank, and 1; or 0
    Atomic<std::uint64_t> samples_[most][most_load] = {};
    Atomic<std::uint64_t> placed_{0}, elsewhere_{0};
};

} // namespace parley::cmmp

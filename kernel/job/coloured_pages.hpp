// SPDX-License-Identifier: MIT
// Where a job's pages lie on a machine whose page frames have colours, as many as the largest of a
// processor's caches has pages that do not want each other's place: a page has the colour that its address
// says, so what follows each other there finds room beside each other, in every boot. What every program uses
// all the time, and begins at round addresses, has colours of its own: first the library, behind it what a
// program's image begins with, and then what the shared region begins with. A stack grows down to the
// library from there.
#pragma once

#include "interface/start_info.h"
#include "kernel/memory/page_placement.hpp"

#include "base/address.hpp"

namespace parley::kernel {

// Pages of colours that the library has before others begin.
inline constexpr unsigned colours_of_library = 64, colours_of_program = 32;

class ColouredPages final : public PagePlacement {
public:
    // Places the pages of one domain.
    explicit ColouredPages(unsigned colours) : colours_(colours) { }

    unsigned bank_of(std::uintptr_t page) const override
    {
        const bool is_library = page >= PARLEY_LIBRARY_BASE && page < PARLEY_SHARED_BASE;
        const unsigned first = is_library ? 0 : colours_of_library;
        return static_cast<unsigned>((page / page_bytes + first) % colours_);
    }
    void note(bool) override { }

private:
    const unsigned colours_;
};

class ColouredRegion final : public PagePlacement {
public:
    // Places the pages of a job's shared region.
    explicit ColouredRegion(unsigned colours) : colours_(colours) { }

    unsigned bank_of(std::uintptr_t offset) const override
    {
        constexpr unsigned first = colours_of_library + colours_of_program;
        return static_cast<unsigned>((offset / page_bytes + first) % colours_);
    }
    void note(bool) override { }

private:
    const unsigned colours_;
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// Which user addresses are in use, and for what: an ordered list of ranges that do not overlap. Not
// synchronised; no page tables.
#pragma once

#include "kernel/base/arena.hpp"
#include "kernel/program/address_space.hpp"

namespace parley::kernel {

struct Region {
    Region* next;
    std::uintptr_t start;
    std::uintptr_t end;
    Protection protection;
    bool shared; // its pages are the job's shared region
};

class Regions {
public:
    explicit Regions(Arena& arena) : arena_(arena) { }
    Regions(const Regions&) = delete;

    Region* find(std::uintptr_t address) const;
    bool covered(std::uintptr_t start, std::uintptr_t end) const;
    bool overlaps(std::uintptr_t start, std::uintptr_t end) const;
    // Error::bad_argument when part of it is taken.
    Result<void> insert(std::uintptr_t start, std::uintptr_t end, Protection protection, bool shared = false);
    Result<void> erase(std::uintptr_t start, std::uintptr_t end);
    Result<void> protect(std::uintptr_t start, std::uintptr_t end, Protection protection);
    // The lowest place where `bytes` are free among the addresses that map() chooses from: below 2 GiB while
    // there is room, for programs that keep addresses in an int.
    Result<std::uintptr_t> free_place(std::size_t bytes) const;

    Region* first() const { return first_; }

private:
    struct Range {
        std::uintptr_t start;
        std::uintptr_t end;
    };
    static constexpr Range low_places{0x4000'0000, 0x7000'0000};
    static constexpr Range high_places{0x2000'0000'0000, 0x2fff'0000'0000};

    Result<std::uintptr_t> free_place_in(Range range, std::size_t bytes) const;

    Result<Region*> record();
    // Make `address` a boundary between two regions if it lies inside one.
    Result<void> split(std::uintptr_t address);

    Arena& arena_;
    Region* first_ = nullptr;
    Region* spare_ = nullptr; // records to use again: the arena never takes anything back
};

} // namespace parley::kernel

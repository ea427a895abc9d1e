// SPDX-License-Identifier: MIT
// Which user addresses are in use, and for what: ranges that do not overlap, in the order of their
// addresses, neighbours that are alike joined into one. A search halves; a change moves what lies behind it,
// so every call ends within the time that moving max_regions records takes. It knows no page tables. A
// domain's are GUARDED_BY its lock.
#pragma once

#include "base/arena.hpp"
#include "kernel/program/address_space.hpp"

#include <span>

namespace parley::kernel {

struct Region {
    std::uintptr_t start;
    std::uintptr_t end;
    Protection protection;
    bool shared; // its pages are the job's shared region

    bool is_like(const Region& other) const
    {
        return protection == other.protection && shared == other.shared;
    }
};

class Regions {
public:
    // Linux allows a process as many.
    static constexpr std::size_t max_regions = 65536;

    explicit Regions(Arena& arena) : arena_(arena) { }
    Regions(const Regions&) = delete;

    // All regions, in order. Any change makes the span invalid, and every pointer into it.
    std::span<const Region> all() const { return {records_, count_}; }
    const Region* find(std::uintptr_t address) const;
    // The regions that have addresses in [start, end).
    std::span<const Region> within(std::uintptr_t start, std::uintptr_t end) const;
    bool covered(std::uintptr_t start, std::uintptr_t end) const;
    bool overlaps(std::uintptr_t start, std::uintptr_t end) const { return !within(start, end).empty(); }

    // These change nothing when they fail. Errors: no_memory, there would be more than max_regions, or the
    // arena is used up; bad_argument, for insert() when a part of the range is taken.
    Result<void> insert(std::uintptr_t start, std::uintptr_t end, Protection protection, bool shared = false);
    Result<void> erase(std::uintptr_t start, std::uintptr_t end);
    // Fails where erase() of that range could fail; after it, erase() does not.
    Result<void> prepare_to_erase(std::uintptr_t start, std::uintptr_t end);
    Result<void> protect(std::uintptr_t start, std::uintptr_t end, Protection protection);
    // The lowest place where `bytes` are free among the addresses that map() chooses from: below 2 GiB while
    // there is room, for programs that keep addresses in an int.
    Result<std::uintptr_t> free_place(std::size_t bytes) const;

private:
    struct Range {
        std::uintptr_t start;
        std::uintptr_t end;
    };
    static constexpr Range low_places{0x4000'0000, 0x7000'0000};
    static constexpr Range high_places{0x2000'0000'0000, 0x2fff'0000'0000};

    Result<std::uintptr_t> free_place_in(Range range, std::size_t bytes) const;

    // The index of the first region that ends after `address`.
    std::size_t first_behind(std::uintptr_t address) const;
    // Makes room for that many more.
    Result<void> make_room(std::size_t more);
    void open_gap(std::size_t index);
    void close_gap(std::size_t first, std::size_t last);
    // Whether `address` lies inside a region, not at its start.
    bool cuts(std::uintptr_t address) const;
    // Makes `address` a boundary between two regions if it lies inside one. There is room.
    void split(std::uintptr_t address);
    // Joins neighbours that are alike among those with the indices [first, last].
    void join(std::size_t first, std::size_t last);

    Arena& arena_;
    Region* records_ = nullptr;
    std::size_t count_ = 0;
    std::size_t room_ = 0;
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// A four-level page table. The lower half belongs to one domain, the upper half is the kernel's and the same
// in every table. Its owner holds a lock at every call. Changes reach other processors only through
// shoot_down() (tlb.hpp).
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::arch {

// Where page tables take their frames from and give them back to; each source charges one owner.
class FrameSource {
public:
    // A zeroed frame, or Error::no_memory.
    virtual Result<PhysAddr> allocate_frame() = 0;
    virtual void free_frame(PhysAddr frame) = 0;

protected:
    ~FrameSource() = default;
};

// The only conversion from a physical address to a pointer: the direct map.
void* to_pointer(PhysAddr address);
template <class T>
T* to_pointer(PhysAddr address)
{
    return static_cast<T*>(to_pointer(address));
}
PhysAddr direct_map_address(const void* pointer);

struct PageRights {
    bool present = true; // false: the page keeps its frame, and nobody may touch it, the kernel included
    bool write = false;
    bool execute = false;
    bool user = false;
    bool device = false; // not cached
};

// The addresses that one table of the last level maps, and a bit for each of its pages.
inline constexpr std::uintptr_t table_reach = 512 * page_bytes;
using PageBits = std::array<std::uint64_t, 512 / 64>;

class PageTable {
public:
    explicit PageTable(PhysAddr root) : root_(root) { }

    // An empty lower half under the kernel's upper half.
    static Result<PageTable> create(FrameSource& frames);

    // Enters one page, or changes its rights when it is there. Tables on the way come from `frames`. Errors:
    // no_memory.
    Result<void> map(std::uintptr_t page, PhysAddr frame, PageRights rights, FrameSource& frames);
    // The frame behind a mapped page of 4 KiB. Errors: not_found.
    Result<PhysAddr> find(std::uintptr_t page) const;
    bool writable(std::uintptr_t page) const;
    // Takes the dirty bits from those of `pages`, which one table maps from `start` on, and answers how many
    // had one: they were written to since the last time. Others that nobody can write to lose their bit in
    // `pages`. Processors that still know a page as dirty do not set its bit again until they are told
    // (tlb.hpp).
    unsigned clean(std::uintptr_t start, PageBits& pages);
    // A page that is there was written to, and not through this table.
    void mark_dirty(std::uintptr_t page);
    // Take pages out of [start, end); `free_leaves`: give their frames to `frames`. Table pages stay.
    void clear(std::uintptr_t start, std::uintptr_t end, FrameSource* free_leaves);
    // Where [start, ...) has so many pages that are there; `end` if [start, end) has no more.
    std::uintptr_t end_of(std::size_t pages, std::uintptr_t start, std::uintptr_t end) const;
    // Change the rights of the pages that are there in [start, end). Answers whether any is.
    bool protect(std::uintptr_t start, std::uintptr_t end, PageRights rights);
    // Free the table pages that serve [start, end), whose leaves must be clear; the bounds are multiples of
    // 512 GiB or lie inside one window of the kernel.
    void free_tables(std::uintptr_t start, std::uintptr_t end, FrameSource& frames);

    PhysAddr root() const { return root_; }
    void activate() const;

private:
    std::uint64_t* entry(std::uintptr_t page) const;
    Result<std::uint64_t*> make_entry(std::uintptr_t page, FrameSource& frames);

    PhysAddr root_;
};

// Builds the kernel's own table: a direct map of `physical_bytes`, the image with its rights, empty windows.
// Called once, at boot.
Result<PageTable> build_kernel_table(std::uint64_t physical_bytes, FrameSource& frames);
PageTable kernel_table();

} // namespace parley::arch

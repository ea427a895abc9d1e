// SPDX-License-Identifier: MIT
// Which pages of a domain may be written to: a bit for each page of each last-level table that has had one,
// in the order of their addresses. So looking for dirty pages costs as much as there are of these, not as
// much as a program has mapped. A page that goes, or can only be read any more, keeps its bit until somebody
// looks and finds that out (PageTable::clean()). A domain's are GUARDED_BY its lock.
#pragma once

#include "arch/x86_64/page_table.hpp"
#include "base/arena.hpp"

#include <span>

namespace parley::kernel {

class WritablePages {
public:
    struct Table {
        std::uintptr_t start; // of what it maps
        arch::PageBits pages;
    };

    explicit WritablePages(Arena& arena) : arena_(arena) { }
    WritablePages(const WritablePages&) = delete;

    // A page has appeared, writable or not. Changes nothing when it fails. Error::no_memory: the arena is
    // used up.
    Result<void> add(std::uintptr_t page);
    // The pages of [start, end) that have appeared before may be written to, again.
    void add_known(std::uintptr_t start, std::uintptr_t end);
    // The tables that map any address of [start, end), in order. add() makes it invalid.
    std::span<Table> within(std::uintptr_t start, std::uintptr_t end);

private:
    // The first table that maps an address from `address` on.
    Table* first_behind(std::uintptr_t address);
    Result<void> make_room();

    Arena& arena_;
    Table* tables_ = nullptr;
    std::size_t count_ = 0;
    std::size_t room_ = 0;
};

} // namespace parley::kernel

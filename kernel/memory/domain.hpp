// SPDX-License-Identifier: MIT
// A domain: an address space and the regions that user programs may touch in it. Pages appear, zeroed, at
// first touch and are charged to the owning job. No page is ever writable and executable. Safe to use from
// several processors.
#pragma once

#include "base/atomic.hpp"
#include "kernel/memory/page_placement.hpp"
#include "kernel/memory/regions.hpp"
#include "kernel/memory/shared_region.hpp"
#include "kernel/memory/writable_pages.hpp"
#include "kernel/program/address_space.hpp"

#include <optional>

namespace parley::kernel {

enum class Hiding : bool { no, yes };

class Domain final : public AddressSpace {
public:
    static Result<Domain*> create(Arena& arena, FrameOwner& frames);
    // Gives every frame back, table pages included. No processor runs in the domain.
    void release();

    Result<UserAddress> map(UserAddress start, std::size_t bytes, Protection protection,
                            Replace replace) override;
    Result<void> unmap(UserAddress start, std::size_t bytes) override;
    Result<void> protect(UserAddress start, std::size_t bytes, Protection protection) override;
    Result<void> discard(UserAddress start, std::size_t bytes) override;
    bool covers(UserAddress start, std::size_t bytes) override;
    // Forgets everything but the library and the shared region, for another program. Only one process runs
    // in the domain.
    void clear_program();
    // Takes the right to execute from pages of code for a while, or gives it back. More than piece_bytes of
    // it takes several pieces, between which the caller may be killed. Errors: bad_argument, when not all of
    // it is code.
    Result<void> hide_code(UserAddress start, UserAddress end, Hiding hiding);
    // Takes the right to execute from all code between the two addresses, for good. Whatever else lies there
    // is left alone.
    void hide_all_code(UserAddress start, UserAddress end);
    // Copies from the program's memory in `from_domain`, whose pages only the caller can take away, into the
    // program's memory here. Errors: bad_buffer.
    Result<void> copy_from(Domain& from_domain, UserAddress to, UserAddress from, std::size_t bytes);
    Result<void> store(UserAddress to, const void* from, std::size_t bytes) override;

    // From now on the domain knows which of its programs' own pages are written to, also by copies that
    // other processes make. Called before it has any page.
    void track_writes() { tracks_writes_ = true; }
    // From now on the domain's private pages come from the banks that the placement says.
    void place_pages(PagePlacement& placement) { placement_ = &placement; }
    // The bank of the page that holds that address; nothing where there is no page.
    std::optional<unsigned> bank_of(UserAddress address);
    // Takes the dirty bits from the pages of [start, end), and answers how many had one. No table of pages
    // has addresses on both sides of a bound. Called by a process that may be preempted and holds no lock.
    unsigned clean_pages(UserAddress start, UserAddress end);

    // Makes a job's shared region visible at its fixed address. Errors: no_memory.
    Result<void> share(SharedRegion& region);
    // Several processes or threads run in it, so changes must reach the other processors. Called before the
    // second of them runs.
    void set_shared_by_processes() { several_processes_.store(true, std::memory_order_relaxed); }

    // A touch of `address` found no page, or one without the right to do so. Errors: bad_buffer, when the
    // program is wrong; no_memory, when the page could not be made.
    Result<void> settle_fault(UserAddress address, bool write, bool execute);

    PhysAddr table_root() const { return root_; }

private:
    friend Arena;
    Domain(Arena& arena, FrameOwner& frames, arch::PageTable table)
        : regions_(arena), writable_(arena), frames_(frames), root_(table.root()), table_(table)
    {
    }

    // The frame of a page that the program may touch so. Errors: bad_buffer, where it may not; no_memory.
    Result<PhysAddr> touched_page(UserAddress address, bool write, bool execute) REQUIRES(lock_);
    Result<std::byte*> place_of(UserAddress address, bool write) REQUIRES(lock_);
    Result<PhysAddr> own_page(std::uintptr_t page) REQUIRES(lock_);
    Result<PhysAddr> present_page(const Region& region, std::uintptr_t page) REQUIRES(lock_);
    // Forgets the regions of [start, end) and gives their pages back, some at a time.
    Result<void> drop(std::uintptr_t start, std::uintptr_t end);
    // What pages of code may be used for until it is said again; their regions stay as they are.
    void protect_code(UserAddress start, UserAddress end, Protection protection);
    void tell_other_processors();

    SpinLock lock_;
    Regions regions_ GUARDED_BY(lock_);
    WritablePages writable_ GUARDED_BY(lock_); // of the programs' own, where writes are tracked
    FrameOwner& frames_;
    const PhysAddr root_; // of the table, which never moves
    arch::PageTable table_ GUARDED_BY(lock_);
    SharedRegion* shared_ = nullptr;
    PagePlacement* placement_ = nullptr; // null: pages lie anywhere
    Atomic<bool> several_processes_{false};
    bool tracks_writes_ = false;
};

} // namespace parley::kernel

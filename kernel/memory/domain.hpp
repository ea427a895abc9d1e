// SPDX-License-Identifier: MIT
// A domain: an address space and the regions that user programs may touch in it. Pages appear, zeroed, at
// first touch and are charged to the owning job. No page is ever writable and executable. Safe to use from
// several processors.
#pragma once

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
    // Return every frame, table pages included. No processor may be running in it.
    void release();

    Result<UserAddress> map(UserAddress start, std::size_t bytes, Protection protection,
                            Replace replace) override;
    Result<void> unmap(UserAddress start, std::size_t bytes) override;
    Result<void> protect(UserAddress start, std::size_t bytes, Protection protection) override;
    bool covers(UserAddress start, std::size_t bytes) override;
    // Forget everything but the library and the shared region, for another program. Only one process may run
    // in it.
    void clear_program();
    // Take the right to execute from pages of code for a while, or give it back. Error::bad_argument when it
    // is not all code.
    Result<void> hide_code(UserAddress start, UserAddress end, Hiding hiding);
    // The same for good, of all code between the two addresses, whatever else is there.
    void hide_all_code(UserAddress start, UserAddress end);
    // From the program's memory in `from_domain`, whose pages only the caller can take away, into the
    // program's memory here. Error::bad_buffer.
    Result<void> copy_from(Domain& from_domain, UserAddress to, UserAddress from, std::size_t bytes);
    Result<void> store(UserAddress to, const void* from, std::size_t bytes) override;

    // Before it has any page: from now on those that are the programs' own and are written to are known, also
    // what other processes have copied there.
    void track_writes() { tracks_writes_ = true; }
    // From now on the domain's private pages come from the banks that the placement says.
    void place_pages(PagePlacement& placement) { placement_ = &placement; }
    // The bank that the page lies in which holds that address; nothing: there is no page.
    std::optional<unsigned> bank_of(UserAddress address);
    // Those of [start, end) that were written to are so no more; how many. No table of pages has addresses on
    // both sides of a bound. Called without locks, by a process that may be preempted.
    unsigned clean_pages(UserAddress start, UserAddress end);

    // Make a job's shared region visible at its fixed address.
    Result<void> share(SharedRegion& region);
    // Several processes run in it, so changes must reach the other processors.
    void set_shared_by_processes() { several_processes_ = true; }

    // A touch of `address` found no page or too little right. Error::bad_buffer when the program is wrong,
    // no_memory when the page could not be made.
    Result<void> settle_fault(UserAddress address, bool write, bool execute);

    PhysAddr table_root() const { return table_.root(); }

private:
    friend Arena;
    Domain(Arena& arena, FrameOwner& frames, arch::PageTable table)
        : regions_(arena), writable_(arena), frames_(frames), table_(table)
    {
    }

    // Lock held: the frame of a page that the program may touch so. Error::bad_buffer: it may not.
    Result<PhysAddr> touched_page(UserAddress address, bool write, bool execute);
    Result<std::byte*> place_of(UserAddress address, bool write);
    Result<PhysAddr> own_page(std::uintptr_t page);
    Result<PhysAddr> present_page(const Region& region, std::uintptr_t page);
    // Forget the regions of [start, end) and give their pages back, some at a time.
    Result<void> drop(std::uintptr_t start, std::uintptr_t end);
    void tell_other_processors();

    SpinLock lock_;
    Regions regions_;
    WritablePages writable_; // of the programs' own, where writes are tracked
    FrameOwner& frames_;
    arch::PageTable table_;
    SharedRegion* shared_ = nullptr;
    PagePlacement* placement_ = nullptr; // null: pages lie anywhere
    bool several_processes_ = false;
    bool tracks_writes_ = false;
};

} // namespace parley::kernel

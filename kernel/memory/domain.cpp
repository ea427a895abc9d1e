// SPDX-License-Identifier: MIT
#include "kernel/memory/domain.hpp"

#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/tlb.hpp"
#include "base/copy.hpp"
#include "interface/start_info.h"
#include "kernel/memory/pieces.hpp"

#include <algorithm>
#include <array>

namespace parley::kernel {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 40;

arch::PageRights rights(Protection protection)
{
    return {.present = protection != Protection::none,
            .write = protection == Protection::read_write,
            .execute = protection == Protection::read_execute,
            .user = true};
}

bool allows(Protection protection, bool write, bool execute)
{
    switch (protection) {
    case Protection::none: return false;
    case Protection::read: return !write && !execute;
    case Protection::read_write: return !execute;
    case Protection::read_execute: return !write;
    }
    return false;
}

// Whole pages in user space, and not empty.
bool sensible(UserAddress start, std::size_t bytes)
{
    return start.value % page_bytes == 0 && bytes != 0 && bytes <= max_bytes &&
           start.value >= AddressSpace::user_start && start.value + bytes <= AddressSpace::user_end;
}

// Frames taken out of a table, kept until no processor can reach them any more: only then may they serve
// somebody else. Until then other processors may still write to them, so nothing is kept in them.
class Withheld final : public arch::FrameSource {
public:
    static constexpr std::size_t room = 64;

    explicit Withheld(FrameOwner& owner) : owner_(owner) { }
    Withheld(const Withheld&) = delete;

    Result<PhysAddr> allocate_frame() override { return std::unexpected(Error::no_memory); }
    void free_frame(PhysAddr frame) override { frames_[count_++] = frame; }
    bool empty() const { return count_ == 0; }
    void give_back()
    {
        while (count_ > 0)
            owner_.free_frame(frames_[--count_]);
    }

private:
    FrameOwner& owner_;
    std::array<PhysAddr, room> frames_;
    std::size_t count_ = 0;
};

// Calls visit(region, from, to) for what regions have of [start, end), in order, as much of it as may be
// done with interrupts off: piece_bytes of addresses, and no more regions than their pages would be. Returns
// where to go on: `end` after the last.
template <class Visit>
std::uintptr_t visit_some(const Regions& regions, std::uintptr_t start, std::uintptr_t end,
                          const Visit& visit)
{
    std::uintptr_t visited = 0;
    for (const Region& region : regions.within(start, end)) {
        const std::uintptr_t from = std::max(region.start, start);
        const std::uintptr_t to = std::min({region.end, end, from + (piece_bytes - visited)});
        visit(region, from, to);
        visited += to - from;
        if (visited == piece_bytes)
            return to;
    }
    return end;
}

} // namespace

Result<Domain*> Domain::create(Arena& arena, FrameOwner& frames)
{
    arch::PageTable table = TRY(arch::PageTable::create(frames));
    return arena.create<Domain>(arena, frames, table);
}

void Domain::release()
{
    for (std::uintptr_t at = user_start; at < user_end; preemption_point()) {
        LockGuard guard(lock_);
        at = visit_some(regions_, at, user_end,
                        [&, table = &table_](const Region& region, std::uintptr_t from, std::uintptr_t to) {
                            table->clear(from, to, region.shared ? nullptr : &frames_);
                        });
    }
    LockGuard guard(lock_);
    table_.free_tables(0, std::uintptr_t{1} << 47, frames_);
    frames_.free_frame(table_.root());
}

Result<UserAddress> Domain::map(UserAddress start, std::size_t bytes, Protection protection, Replace replace)
{
    bytes = round_up(bytes, page_bytes);
    if (replace == Replace::yes && sensible(start, bytes))
        TRY_VOID(unmap(start, bytes));
    LockGuard guard(lock_);
    if (start.value == 0 && bytes != 0 && bytes <= max_bytes)
        start.value = TRY(regions_.free_place(bytes));
    if (!sensible(start, bytes))
        return std::unexpected(Error::bad_argument);
    TRY_VOID(regions_.insert(start.value, start.value + bytes, protection));
    return start;
}

Result<void> Domain::unmap(UserAddress start, std::size_t bytes)
{
    bytes = round_up(bytes, page_bytes);
    if (!sensible(start, bytes))
        return std::unexpected(Error::bad_argument);
    return drop(start.value, start.value + bytes);
}

Result<void> Domain::drop(std::uintptr_t start, std::uintptr_t end)
{
    while (start < end) {
        Withheld withheld(frames_);
        bool shared_too = false;
        {
            LockGuard guard(lock_);
            const std::uintptr_t next = table_.end_of(
                Withheld::room, start,
                visit_some(regions_, start, end, [&](const Region& region, std::uintptr_t, std::uintptr_t) {
                    shared_too = shared_too || region.shared;
                }));
            TRY_VOID(regions_.prepare_to_erase(start, next)); // before any page is lost
            visit_some(regions_, start, next,
                       [&, table = &table_](const Region& region, std::uintptr_t from, std::uintptr_t to) {
                           table->clear(from, to, region.shared ? nullptr : &withheld);
                       });
            TRY_VOID(regions_.erase(start, next));
            start = next;
        }
        if (!withheld.empty() || shared_too)
            tell_other_processors();
        withheld.give_back();
        preemption_point();
    }
    return {};
}

Result<void> Domain::protect(UserAddress start, std::size_t bytes, Protection protection)
{
    bytes = round_up(bytes, page_bytes);
    if (!sensible(start, bytes))
        return std::unexpected(Error::bad_argument);
    {
        LockGuard guard(lock_);
        if (!regions_.covered(start.value, start.value + bytes))
            return std::unexpected(Error::bad_argument);
        TRY_VOID(regions_.protect(start.value, start.value + bytes, protection));
    }
    // Another process of the domain may change the range meanwhile: each page gets what its region says now.
    const std::uintptr_t end = start.value + bytes;
    bool found = false;
    for (std::uintptr_t at = start.value; at < end; preemption_point()) {
        LockGuard guard(lock_);
        at = visit_some(regions_, at, end,
                        [&, table = &table_, writable = &writable_](const Region& region, std::uintptr_t from,
                                                                    std::uintptr_t to) {
                            found |= table->protect(from, to, rights(region.protection));
                            if (tracks_writes_ && region.protection == Protection::read_write &&
                                !region.shared)
                                writable->add_known(from, to);
                        });
    }
    if (found) // no processor knows pages that are not there
        tell_other_processors();
    return {};
}

Result<void> Domain::discard(UserAddress start, std::size_t bytes)
{
    bytes = round_up(bytes, page_bytes);
    if (!sensible(start, bytes))
        return std::unexpected(Error::bad_argument);
    const std::uintptr_t end = start.value + bytes;
    for (std::uintptr_t at = start.value; at < end; preemption_point()) {
        Withheld withheld(frames_);
        {
            LockGuard guard(lock_);
            const std::uintptr_t next = table_.end_of(
                Withheld::room, at,
                visit_some(regions_, at, end, [](const Region&, std::uintptr_t, std::uintptr_t) { }));
            visit_some(regions_, at, next,
                       [&, table = &table_](const Region& region, std::uintptr_t from, std::uintptr_t to) {
                           if (!region.shared)
                               table->clear(from, to, &withheld);
                       });
            at = next;
        }
        if (!withheld.empty())
            tell_other_processors();
        withheld.give_back();
    }
    return {};
}

bool Domain::covers(UserAddress start, std::size_t bytes)
{
    LockGuard guard(lock_);
    return sensible(start, bytes) && regions_.covered(start.value, start.value + bytes);
}

void Domain::clear_program()
{
    // Erasing whole ranges cuts no region in two, so it cannot fail.
    (void)drop(user_start, PARLEY_LIBRARY_BASE);
    (void)drop(PARLEY_SHARED_BASE + round_up(shared_ == nullptr ? 0 : shared_->bytes(), page_bytes),
               user_end);
}

Result<void> Domain::hide_code(UserAddress start, UserAddress end, Hiding hiding)
{
    {
        LockGuard guard(lock_);
        for (std::uintptr_t at = start.value; at < end.value;) {
            const Region* region = regions_.find(at);
            if (region == nullptr || region->protection != Protection::read_execute)
                return std::unexpected(Error::bad_argument);
            at = region->end;
        }
    }
    protect_code(start, end, hiding == Hiding::yes ? Protection::read : Protection::read_execute);
    // A page that is still hidden elsewhere only faults once more.
    if (hiding == Hiding::yes)
        tell_other_processors();
    return {};
}

void Domain::hide_all_code(UserAddress start, UserAddress end)
{
    protect_code(start, end, Protection::read);
    tell_other_processors();
}

void Domain::protect_code(UserAddress start, UserAddress end, Protection protection)
{
    for (std::uintptr_t at = start.value;; preemption_point()) {
        LockGuard guard(lock_);
        at = visit_some(regions_, at, end.value,
                        [&, table = &table_](const Region& region, std::uintptr_t from, std::uintptr_t to) {
                            if (region.protection == Protection::read_execute)
                                table->protect(from, to, rights(protection));
                        });
        if (at >= end.value)
            return;
    }
}

Result<void> Domain::store(UserAddress to, const void* from, std::size_t bytes)
{
    const auto* source = static_cast<const std::byte*>(from);
    while (bytes > 0) {
        const std::uintptr_t page = round_down(to.value, page_bytes);
        const std::size_t offset = to.value - page;
        const std::size_t piece = bytes < page_bytes - offset ? bytes : page_bytes - offset;
        {
            LockGuard guard(lock_);
            const Region* region = regions_.find(page);
            if (region == nullptr)
                return std::unexpected(Error::bad_argument);
            auto* place = arch::to_pointer<std::byte>(TRY(present_page(*region, page))) + offset;
            copy_bytes(place, source, piece);
        }
        source += piece;
        to = to + piece;
        bytes -= piece;
        preemption_point(); // the image of a large program is many pages
    }
    return {};
}

unsigned Domain::clean_pages(UserAddress start, UserAddress end)
{
    constexpr std::size_t most = piece_bytes / arch::table_reach;
    unsigned cleaned = 0;
    for (std::uintptr_t at = start.value; at < end.value; preemption_point()) {
        LockGuard guard(lock_);
        const std::span<WritablePages::Table> tables = writable_.within(at, end.value);
        for (WritablePages::Table& table : tables.first(std::min(tables.size(), most)))
            cleaned += table_.clean(table.start, table.pages);
        at = tables.size() > most ? tables[most].start : end.value;
    }
    // Also where it is of one process, which may go on where it has run before.
    if (cleaned != 0)
        arch::shoot_down_translations();
    return cleaned;
}

Result<void> Domain::share(SharedRegion& region)
{
    LockGuard guard(lock_);
    shared_ = &region;
    const std::uintptr_t start = PARLEY_SHARED_BASE;
    return regions_.insert(start, start + round_up(region.bytes(), page_bytes), Protection::read_write, true);
}

Result<void> Domain::settle_fault(UserAddress address, bool write, bool execute)
{
    LockGuard guard(lock_);
    TRY(touched_page(address, write, execute));
    return {};
}

Result<PhysAddr> Domain::touched_page(UserAddress address, bool write, bool execute)
{
    const Region* region = regions_.find(address.value);
    if (region == nullptr || !allows(region->protection, write, execute))
        return std::unexpected(Error::bad_buffer);
    return present_page(*region, round_down(address.value, page_bytes));
}

// A frame for a page of the programs' own.
Result<PhysAddr> Domain::own_page(std::uintptr_t page)
{
    if (placement_ == nullptr)
        return frames_.allocate_frame();
    const unsigned bank = placement_->bank_of(page);
    const PhysAddr frame = TRY(frames_.allocate_frame_in(bank));
    placement_->note(frames_.bank_of(frame) == bank);
    return frame;
}

std::optional<unsigned> Domain::bank_of(UserAddress address)
{
    LockGuard guard(lock_);
    const Result<PhysAddr> frame = table_.find(round_down(address.value, page_bytes));
    return frame ? std::optional(frames_.bank_of(*frame)) : std::nullopt;
}

// The page's frame, entered into the table. Another processor may have been faster: then it is there
// already.
Result<PhysAddr> Domain::present_page(const Region& region, std::uintptr_t page)
{
    if (const Result<PhysAddr> present = table_.find(page))
        return present;
    // Before it is there, so that none can be there unknown.
    if (tracks_writes_ && !region.shared)
        TRY_VOID(writable_.add(page));
    const PhysAddr frame =
        region.shared ? TRY(shared_->page(page - PARLEY_SHARED_BASE)) : TRY(own_page(page));
    const Result<void> entered = table_.map(page, frame, rights(region.protection), frames_);
    if (!entered) {
        if (!region.shared)
            frames_.free_frame(frame);
        return std::unexpected(entered.error());
    }
    return frame;
}

void Domain::tell_other_processors()
{
    if (several_processes_.load(std::memory_order_relaxed))
        arch::shoot_down_translations_of(root_);
}

} // namespace parley::kernel

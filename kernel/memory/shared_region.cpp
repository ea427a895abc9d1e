// SPDX-License-Identifier: MIT
#include "kernel/memory/shared_region.hpp"

#include "kernel/process/preemption.hpp"

namespace parley::kernel {

Result<SharedRegion*> SharedRegion::create(Arena& arena, FrameOwner& frames, std::size_t bytes)
{
    const std::size_t leaf_count =
        round_up(bytes, page_bytes * pages_per_leaf) / (page_bytes * pages_per_leaf);
    std::byte* leaves = TRY(arena.allocate(leaf_count * sizeof(PhysAddr*), alignof(PhysAddr*)));
    return arena.create<SharedRegion>(frames, bytes, reinterpret_cast<PhysAddr**>(leaves));
}

Result<PhysAddr> SharedRegion::page(std::size_t offset)
{
    const std::size_t page = offset / page_bytes;
    LockGuard guard(lock_);
    PhysAddr*& leaf = leaves_[page / pages_per_leaf];
    if (leaf == nullptr)
        leaf = arch::to_pointer<PhysAddr>(TRY(frames_.allocate_frame()));
    PhysAddr& frame = leaf[page % pages_per_leaf];
    if (frame.value == 0)
        frame = TRY(new_frame(page));
    return frame;
}

Result<PhysAddr> SharedRegion::new_frame(std::size_t page)
{
    if (placement_ == nullptr)
        return frames_.allocate_frame();
    const unsigned bank = placement_->bank_of(page * page_bytes);
    const PhysAddr frame = TRY(frames_.allocate_frame_in(bank));
    placement_->note(frames_.bank_of(frame) == bank);
    return frame;
}

Result<PhysAddr> SharedRegion::find(std::size_t offset)
{
    const std::size_t page = offset / page_bytes;
    LockGuard guard(lock_);
    const PhysAddr* leaf = offset < bytes_ ? leaves_[page / pages_per_leaf] : nullptr;
    if (leaf == nullptr || leaf[page % pages_per_leaf].value == 0)
        return std::unexpected(Error::not_found);
    return leaf[page % pages_per_leaf];
}

void SharedRegion::release()
{
    const std::size_t pages = round_up(bytes_, page_bytes) / page_bytes;
    for (std::size_t page = 0; page < pages; ++page) {
        if (page % pages_per_leaf == 0)
            preemption_point();
        LockGuard guard(lock_);
        PhysAddr* leaf = leaves_[page / pages_per_leaf];
        if (leaf != nullptr && leaf[page % pages_per_leaf].value != 0)
            frames_.free_frame(leaf[page % pages_per_leaf]);
        const bool last_of_leaf = page % pages_per_leaf == pages_per_leaf - 1 || page == pages - 1;
        if (leaf != nullptr && last_of_leaf)
            frames_.free_frame(arch::direct_map_address(leaf));
    }
}

} // namespace parley::kernel

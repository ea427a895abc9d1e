// SPDX-License-Identifier: MIT
// A job's shared region: pages that every domain of the job sees at PARLEY_SHARED_BASE. They appear at first
// touch, zeroed, whoever touches first, and are charged to the job.
#pragma once

#include "base/arena.hpp"
#include "kernel/memory/frames.hpp"
#include "kernel/memory/page_placement.hpp"

namespace parley::kernel {

class SharedRegion {
public:
    static Result<SharedRegion*> create(Arena& arena, FrameOwner& frames, std::size_t bytes);

    // From now on the region's pages come from the banks that the placement says.
    void place_pages(PagePlacement& placement) { placement_ = &placement; }
    // The frame behind the region's page at `offset`, which is below bytes(). The first to ask for a page
    // makes it. Errors: no_memory.
    Result<PhysAddr> page(std::size_t offset);
    // As page(), but makes none: Error::not_found when nobody has touched the page yet.
    Result<PhysAddr> find(std::size_t offset);
    // Gives every frame back. No domain has the region any more.
    void release();

    std::size_t bytes() const { return bytes_; }

private:
    friend Arena;
    static constexpr std::size_t pages_per_leaf = page_bytes / sizeof(PhysAddr);
    SharedRegion(FrameOwner& frames, std::size_t bytes, PhysAddr** leaves)
        : frames_(frames), bytes_(bytes), leaves_(leaves)
    {
    }

    Result<PhysAddr> new_frame(std::size_t page) REQUIRES(lock_);

    FrameOwner& frames_;
    PagePlacement* placement_ = nullptr; // null: pages lie anywhere
    const std::size_t bytes_;
    SpinLock lock_;
    // Frames of pages_per_leaf pages each, null where nothing was touched.
    PhysAddr** leaves_ GUARDED_BY(lock_);
};

} // namespace parley::kernel

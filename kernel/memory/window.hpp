// SPDX-License-Identifier: MIT
// A window: 64 GiB of kernel addresses whose contents have one owner (the kernel itself, or a job) and go
// all together. Allocations are handed out in order; reserved ranges get their pages later, through
// populate().
#pragma once

#include "base/arena.hpp"
#include "kernel/memory/frames.hpp"

namespace parley::kernel {

class Window final : public Arena {
public:
    Window(unsigned index, FrameOwner& frames);

    Result<std::byte*> allocate(std::size_t bytes, std::size_t alignment) override;
    // Reserves addresses without memory: whole pages, with an unmapped page on both sides.
    Result<std::byte*> reserve(std::size_t bytes);
    // Gives memory to the pages of a part of a reserved range; those that have some keep it. Errors:
    // no_memory.
    Result<void> populate(std::byte* start, std::size_t bytes);
    // Makes a stack, with an unmapped page below it. Answers its top.
    Result<std::uint64_t> stack(std::size_t bytes);
    // Maps a frame of device registers, which are not cached.
    Result<std::byte*> map_device(PhysAddr frame);

    // Gives every frame back, table pages too. Nobody may use the window any more; other processors'
    // translations must be shot down before the window is used again.
    void release();

    FrameOwner& frames() { return frames_; }
    // The index of the window that an address lies in.
    static unsigned index_of(const void* address);

private:
    std::uintptr_t take_addresses(std::size_t bytes, std::size_t alignment);
    Result<void> fill(std::uintptr_t start, std::uintptr_t end);

    FrameOwner& frames_;
    const std::uintptr_t start_;
    SpinLock lock_;
    std::uintptr_t next_ GUARDED_BY(lock_);
    std::uintptr_t filled_ GUARDED_BY(lock_); // small allocations share pages up to here
};

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/memory/frames.hpp"

namespace parley::kernel {

void FramePool::add(PhysAddr start, PhysAddr end)
{
    const PhysAddr first{round_up(start.value, page_bytes)};
    const PhysAddr last{round_down(end.value, page_bytes)};
    LockGuard guard(lock_);
    if (first >= last || range_count_ == max_ranges)
        return;
    ranges_[range_count_++] = {first, last};
    free_.fetch_add((last.value - first.value) / page_bytes, std::memory_order_relaxed);
}

Result<PhysAddr> FramePool::take()
{
    LockGuard guard(lock_);
    if (recycled_ != nullptr) {
        FreeFrame* frame = recycled_;
        recycled_ = frame->next;
        free_.fetch_sub(1, std::memory_order_relaxed);
        return arch::direct_map_address(frame);
    }
    for (std::size_t i = 0; i < range_count_; ++i) {
        Range& range = ranges_[i];
        if (range.next == range.end)
            continue;
        const PhysAddr frame = range.next;
        range.next = frame + page_bytes;
        free_.fetch_sub(1, std::memory_order_relaxed);
        return frame;
    }
    return std::unexpected(Error::no_memory);
}

void FramePool::give_back(PhysAddr frame)
{
    auto* free = arch::to_pointer<FreeFrame>(frame);
    LockGuard guard(lock_);
    free->next = recycled_;
    recycled_ = free;
    free_.fetch_add(1, std::memory_order_relaxed);
}

Result<PhysAddr> FrameOwner::allocate_frame()
{
    if (held_.fetch_add(1, std::memory_order_relaxed) >= limit_) {
        held_.fetch_sub(1, std::memory_order_relaxed);
        return std::unexpected(Error::no_memory);
    }
    const Result<PhysAddr> frame = pool_.take();
    if (!frame) {
        held_.fetch_sub(1, std::memory_order_relaxed);
        return frame;
    }
    auto* words = arch::to_pointer<std::uint64_t>(*frame);
    for (std::size_t i = 0; i < page_bytes / sizeof *words; ++i)
        words[i] = 0;
    return frame;
}

void FrameOwner::free_frame(PhysAddr frame)
{
    held_.fetch_sub(1, std::memory_order_relaxed);
    pool_.give_back(frame);
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/memory/frames.hpp"

#include <span>

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

Result<PhysAddr> FramePool::take_recycled(unsigned bank)
{
    FreeFrame* const frame = recycled_[bank];
    if (frame == nullptr)
        return std::unexpected(Error::no_memory);
    recycled_[bank] = frame->next;
    free_.fetch_sub(1, std::memory_order_relaxed);
    return arch::direct_map_address(frame);
}

Result<PhysAddr> FramePool::take_new(Range& range)
{
    if (range.next == range.end)
        return std::unexpected(Error::no_memory);
    const PhysAddr frame = range.next;
    range.next = frame + page_bytes;
    free_.fetch_sub(1, std::memory_order_relaxed);
    return frame;
}

Result<PhysAddr> FramePool::take_in(unsigned bank)
{
    if (const Result<PhysAddr> frame = take_recycled(bank))
        return frame;
    for (std::size_t i = 0; i < range_count_; ++i) {
        if (colours_ != 0)
            pass_to(ranges_[i], bank);
        if (bank_of(ranges_[i].next) != bank)
            continue;
        if (const Result<PhysAddr> frame = take_new(ranges_[i]))
            return frame;
    }
    return std::unexpected(Error::no_memory);
}

void FramePool::pass_to(Range& range, unsigned bank)
{
    for (; range.next != range.end && bank_of(range.next) != bank; range.next = range.next + page_bytes)
        recycle(range.next);
}

void FramePool::recycle(PhysAddr frame)
{
    auto* const free = arch::to_pointer<FreeFrame>(frame);
    FreeFrame*& list = recycled_[bank_of(frame)];
    free->next = list;
    list = free;
}

Result<PhysAddr> FramePool::take()
{
    LockGuard guard(lock_);
    if (colours_ != 0) {
        if (const Result<PhysAddr> frame = take_in(turn_++ % colours_))
            return frame;
    }
    if (aside_ != 0) {
        if (const Result<PhysAddr> frame = take_in(0))
            return frame;
    }
    for (unsigned bank = 0; bank < banks_; ++bank) {
        if (const Result<PhysAddr> frame = take_recycled(bank))
            return frame;
    }
    for (std::size_t i = 0; i < range_count_; ++i) {
        if (const Result<PhysAddr> frame = take_new(ranges_[i]))
            return frame;
    }
    return std::unexpected(Error::no_memory);
}

Result<PhysAddr> FramePool::take_from(unsigned bank)
{
    {
        LockGuard guard(lock_);
        if (const Result<PhysAddr> frame = take_in(bank))
            return frame;
    }
    return take();
}

void FramePool::split(PhysAddr bound)
{
    for (std::size_t i = 0; i < range_count_ && range_count_ < max_ranges; ++i) {
        if (bound <= ranges_[i].next || bound >= ranges_[i].end)
            continue;
        ranges_[range_count_++] = {bound, ranges_[i].end};
        ranges_[i].end = bound;
        return;
    }
}

void FramePool::set_aside(PhysAddr start, std::uint64_t bytes, unsigned count)
{
    LockGuard guard(lock_);
    banks_ = count + 1;
    aside_ = count;
    first_bank_ = start.value;
    bank_bytes_ = bytes;
    split(start);
    for (PhysAddr end = start + bytes; count > 0; --count, end = end + bytes) {
        const PhysAddr last{end.value - page_bytes};
        split(last);
        split(end);
        for (Range& range : std::span(ranges_).first(range_count_)) {
            if (range.next != last || range.next == range.end)
                continue;
            range.end = last;
            free_.fetch_sub(1, std::memory_order_relaxed);
        }
    }
}

void FramePool::divide(unsigned banks)
{
    LockGuard guard(lock_);
    std::uint64_t top = 0;
    for (std::size_t i = 0; i < range_count_; ++i)
        top = ranges_[i].end.value > top ? ranges_[i].end.value : top;
    banks_ = banks;
    bank_bytes_ = round_up((top + banks - 1) / banks, page_bytes);
    // The new ranges come behind the others, and are looked at in their turn.
    for (std::size_t i = 0; i < range_count_ && range_count_ < max_ranges; ++i) {
        const PhysAddr bound{round_up(ranges_[i].next.value + 1, bank_bytes_)};
        if (bound >= ranges_[i].end)
            continue;
        ranges_[range_count_++] = {bound, ranges_[i].end};
        ranges_[i].end = bound;
    }
    sort_recycled();
}

void FramePool::colour(unsigned colours)
{
    LockGuard guard(lock_);
    banks_ = colours_ = colours;
    sort_recycled();
}

// What was given back while all was one bank.
void FramePool::sort_recycled()
{
    FreeFrame* frame = recycled_[0];
    recycled_[0] = nullptr;
    while (frame != nullptr) {
        FreeFrame* const next = frame->next;
        recycle(arch::direct_map_address(frame));
        frame = next;
    }
}

void FramePool::give_back(PhysAddr frame)
{
    LockGuard guard(lock_);
    recycle(frame);
    free_.fetch_add(1, std::memory_order_relaxed);
}

template <class Take>
Result<PhysAddr> FrameOwner::allocate(const Take& take)
{
    if (held_.fetch_add(1, std::memory_order_relaxed) >= limit_) {
        held_.fetch_sub(1, std::memory_order_relaxed);
        return std::unexpected(Error::no_memory);
    }
    const Result<PhysAddr> frame = take();
    if (!frame) {
        held_.fetch_sub(1, std::memory_order_relaxed);
        return frame;
    }
    auto* words = arch::to_pointer<std::uint64_t>(*frame);
    for (std::size_t i = 0; i < page_bytes / sizeof *words; ++i)
        words[i] = 0;
    return frame;
}

Result<PhysAddr> FrameOwner::allocate_frame()
{
    return allocate([this] { return pool_.take(); });
}

Result<PhysAddr> FrameOwner::allocate_frame_in(unsigned bank)
{
    return allocate([this, bank] { return pool_.take_from(bank); });
}

void FrameOwner::free_frame(PhysAddr frame)
{
    held_.fetch_sub(1, std::memory_order_relaxed);
    pool_.give_back(frame);
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/memory/window.hpp"

#include "arch/x86_64/memory_map.hpp"
#include "kernel/memory/pieces.hpp"

namespace parley::kernel {

namespace {

constexpr arch::PageRights data{.write = true};

} // namespace

Window::Window(unsigned index, FrameOwner& frames)
    : frames_(frames), start_(WINDOW_BASE + index * WINDOW_BYTES), next_(start_), filled_(start_)
{
}

unsigned Window::index_of(const void* address)
{
    return static_cast<unsigned>((reinterpret_cast<std::uintptr_t>(address) - WINDOW_BASE) / WINDOW_BYTES);
}

Result<void> Window::fill(std::uintptr_t start, std::uintptr_t end)
{
    arch::PageTable table = arch::kernel_table();
    for (std::uintptr_t page = round_down(start, page_bytes); page < end; page += page_bytes) {
        if (table.find(page))
            continue;
        const PhysAddr frame = TRY(frames_.allocate_frame());
        const Result<void> entered = table.map(page, frame, data, frames_);
        if (!entered) {
            frames_.free_frame(frame);
            return entered;
        }
    }
    return {};
}

Result<std::byte*> Window::allocate(std::size_t bytes, std::size_t alignment)
{
    LockGuard guard(lock_);
    const std::uintptr_t start = round_up(next_, alignment);
    const std::uintptr_t end = start + bytes;
    if (bytes > WINDOW_BYTES || end > start_ + WINDOW_BYTES)
        return std::unexpected(Error::no_memory);
    if (end > filled_) {
        TRY_VOID(fill(filled_, end));
        filled_ = round_up(end, page_bytes);
    }
    next_ = end;
    return reinterpret_cast<std::byte*>(start);
}

Result<std::byte*> Window::reserve(std::size_t bytes)
{
    LockGuard guard(lock_);
    const std::uintptr_t start = filled_ + page_bytes;
    if (bytes > WINDOW_BYTES || start + bytes + page_bytes > start_ + WINDOW_BYTES)
        return std::unexpected(Error::no_memory);
    next_ = filled_ = round_up(start + bytes, page_bytes) + page_bytes;
    return reinterpret_cast<std::byte*>(start);
}

Result<void> Window::populate(std::byte* start, std::size_t bytes)
{
    const auto from = reinterpret_cast<std::uintptr_t>(start);
    LockGuard guard(lock_);
    return fill(from, from + bytes);
}

Result<std::uint64_t> Window::stack(std::size_t bytes)
{
    std::byte* bottom = TRY(reserve(bytes));
    TRY_VOID(populate(bottom, bytes));
    return reinterpret_cast<std::uint64_t>(bottom) + bytes;
}

Result<std::byte*> Window::map_device(PhysAddr frame)
{
    std::byte* place = TRY(reserve(page_bytes));
    TRY_VOID(arch::kernel_table().map(reinterpret_cast<std::uintptr_t>(place), frame,
                                      {.write = true, .device = true}, frames_));
    return place;
}

void Window::release()
{
    arch::PageTable table = arch::kernel_table();
    for_each_piece(start_, start_ + WINDOW_BYTES,
                   [&](std::uintptr_t from, std::uintptr_t to) { table.clear(from, to, &frames_); });
    table.free_tables(start_, start_ + WINDOW_BYTES, frames_);
}

} // namespace parley::kernel

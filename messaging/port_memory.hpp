// SPDX-License-Identifier: MIT
// Memory of the job's budget that ports take when they are made.
#pragma once

#include "messaging/memory/buddy_heap.hpp"
#include "messaging/port.hpp"

#include <array>

namespace parley::messaging {

// What ports that are being made have taken: it goes back unless they are kept.
class PortMemory {
public:
    explicit PortMemory(BuddyHeap& heap) : heap_(heap) { }
    PortMemory(const PortMemory&) = delete;
    PortMemory& operator=(const PortMemory&) = delete;
    ~PortMemory()
    {
        while (count_ > 0)
            heap_.release(blocks_[--count_]);
    }
    void keep() { count_ = 0; }

    // Errors: no_memory, also for more blocks than are noted.
    Result<std::byte*> allocate(std::size_t bytes)
    {
        if (count_ == blocks_.size())
            return std::unexpected(Error::no_memory);
        std::byte* const block = TRY(heap_.allocate(bytes));
        blocks_[count_++] = block;
        return block;
    }

private:
    BuddyHeap& heap_;
    std::array<std::byte*, 16> blocks_{};
    std::size_t count_ = 0;
};

inline Result<std::byte*> PortParts::allocate(std::size_t bytes) const
{
    return taken != nullptr ? taken->allocate(bytes) : memory.allocate(bytes);
}

} // namespace parley::messaging

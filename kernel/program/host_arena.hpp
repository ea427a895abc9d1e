// SPDX-License-Identifier: MIT
// For host tests: an arena over the host's heap, with a limit.
#pragma once

#include "base/arena.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace parley::kernel::testing {

class HostArena final : public Arena {
public:
    HostArena() = default;
    HostArena(const HostArena&) = delete;
    ~HostArena()
    {
        for (void* block : blocks_)
            std::free(block);
    }

    Result<std::byte*> allocate(std::size_t bytes, std::size_t alignment) override
    {
        if (used + bytes > limit)
            return std::unexpected(Error::no_memory);
        used += bytes;
        void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        std::memset(block, 0, bytes);
        blocks_.push_back(block);
        return static_cast<std::byte*>(block);
    }

    std::size_t used = 0;
    std::size_t limit = 64 << 20;

private:
    std::vector<void*> blocks_;
};

} // namespace parley::kernel::testing

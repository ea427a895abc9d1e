// SPDX-License-Identifier: MIT
// Memory of a play at addresses that are the same in each execution: what is explored hashes addresses
// (sched/wait_table.hpp), so at others it would be another play. Each party has its stack, and what the play
// is set up with stands behind those.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::explorer {

class PlayMemory {
public:
    static constexpr std::size_t stack_bytes = 128 << 10;

    // The only one there is.
    static PlayMemory& get();

    // For one execution at a time; what lies below it cannot be touched. `party`: below most_parties.
    std::byte* stack_of(std::size_t party);

    // An execution is to be set up. False: something that an earlier one was set up with is still in use. It
    // stays, and what is set up now has other addresses.
    bool start();
    // The alignment is a power of two from 8 to a page. Throws std::bad_alloc where there is no room left.
    void* allocate(std::size_t bytes, std::size_t alignment);
    // Whether it is from here; the others are for what is.
    bool holds(const void* place) const { return offset_of(place) < all_bytes; }
    std::size_t bytes_of(const void* place) const;
    void free(const void* place);

private:
    static constexpr std::size_t all_bytes = std::size_t{1} << 30;

    PlayMemory();
    static std::byte* mapped();
    std::size_t offset_of(const void* place) const
    {
        return reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(memory_);
    }

    std::byte* const memory_;
    std::size_t first_; // what is set up begins here
    std::size_t end_;
    std::size_t in_use_ = 0; // blocks of this execution
};

} // namespace parley::explorer

// SPDX-License-Identifier: MIT
#include "testing/exploring/play_memory.hpp"

#include "testing/exploring/explored_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace parley::explorer {

namespace {

constexpr std::size_t page_bytes = 4096; // that cannot be touched, below each stack
constexpr std::size_t stack_place = page_bytes + PlayMemory::stack_bytes;
constexpr std::size_t all_stacks = most_parties * stack_place;

// How many bytes a block has stands right before it.
using Size = std::size_t;

} // namespace

// Pages that nobody writes cost nothing.
std::byte* PlayMemory::mapped()
{
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const memory = mmap(nullptr, all_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) {
        std::fprintf(stderr, "explorer: cannot map %zu MB for plays: allow it more memory (ulimit -v)\n",
                     all_bytes >> 20);
        std::exit(1);
    }
    auto* const first = static_cast<std::byte*>(memory);
    for (std::size_t party = 0; party < most_parties; ++party)
        mprotect(first + party * stack_place, page_bytes, PROT_NONE);
    return first;
}

PlayMemory::PlayMemory() : memory_(mapped()), first_(all_stacks), end_(all_stacks) { }

PlayMemory& PlayMemory::get()
{
    static PlayMemory memory;
    return memory;
}

std::byte* PlayMemory::stack_of(std::size_t party) { return memory_ + party * stack_place + page_bytes; }

bool PlayMemory::start()
{
    const bool is_free = std::exchange(in_use_, 0) == 0;
    if (!is_free)
        first_ = end_;
    end_ = first_;
    return is_free;
}

void* PlayMemory::allocate(std::size_t bytes, std::size_t alignment)
{
    const std::size_t start = (end_ + sizeof(Size) + alignment - 1) & ~(alignment - 1);
    if (start > all_bytes || bytes > all_bytes - start)
        throw std::bad_alloc();
    end_ = start + bytes;
    ++in_use_;
    std::memcpy(memory_ + start - sizeof(Size), &bytes, sizeof(Size));
    return memory_ + start;
}

std::size_t PlayMemory::bytes_of(const void* place) const
{
    Size bytes;
    std::memcpy(&bytes, static_cast<const std::byte*>(place) - sizeof(Size), sizeof(Size));
    return bytes;
}

void PlayMemory::free(const void* place)
{
    if (offset_of(place) >= first_)
        --in_use_;
}

} // namespace parley::explorer

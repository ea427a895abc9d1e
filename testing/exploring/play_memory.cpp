// SPDX-License-Identifier: MIT
#include "testing/exploring/play_memory.hpp"

#include "testing/exploring/explored_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

namespace parley::explorer {

namespace {

constexpr std::size_t all_stacks = most_parties * PlayMemory::stack_bytes;

// Of a block, before it.
using Size = std::size_t;

} // namespace

// Pages that nobody writes cost nothing.
std::byte* PlayMemory::mapped()
{
    void* const wanted = reinterpret_cast<void*>(std::uintptr_t{1} << 45);
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const memory = mmap(wanted, all_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory != MAP_FAILED)
        return static_cast<std::byte*>(memory);
    std::fprintf(stderr, "explorer: cannot map %zu MB for plays: allow it more memory (ulimit -v)\n",
                 all_bytes >> 20);
    std::exit(1);
}

PlayMemory::PlayMemory() : memory_(mapped()), first_(all_stacks), end_(all_stacks) { }

PlayMemory& PlayMemory::get()
{
    static PlayMemory memory;
    return memory;
}

std::byte* PlayMemory::stack_of(std::size_t party) { return memory_ + party * stack_bytes; }

// What stays may be a static object's, which the first play makes that needs it.
void PlayMemory::start()
{
    if (in_use_ != 0)
        first_ = end_;
    end_ = first_;
    in_use_ = 0;
}

void* PlayMemory::allocate(std::size_t bytes, std::size_t alignment)
{
    const std::size_t start = (end_ + sizeof(Size) + alignment - 1) & ~(alignment - 1);
    if (start > all_bytes || bytes > all_bytes - start)
        return nullptr;
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

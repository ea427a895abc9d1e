// SPDX-License-Identifier: MIT
// Fresh pages of zeros, given back at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <sys/mman.h>

namespace parley::testing {

class MappedMemory {
public:
    explicit MappedMemory(std::size_t bytes) : bytes_(bytes)
    {
        void* const pages =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED)
            throw std::bad_alloc();
        start_ = static_cast<std::byte*>(pages);
    }
    ~MappedMemory() { munmap(start_, bytes_); }
    MappedMemory(const MappedMemory&) = delete;
    MappedMemory& operator=(const MappedMemory&) = delete;

    std::byte* start() const { return start_; }
    std::size_t bytes() const { return bytes_; }
    std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(start_); }

private:
    std::byte* start_;
    std::size_t bytes_;
};

} // namespace parley::testing

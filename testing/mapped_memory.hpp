// SPDX-License-Identifier: MIT
// Whole pages of zeros, given back at the end. An exploration makes the same memory hundreds of thousands of
// times, and spent most of its time in the system for it; so each thread keeps some small mappings, zeroed,
// for who wants that size next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace parley::testing {

class MappedMemory {
public:
    explicit MappedMemory(std::size_t bytes) : pages_(taken(bytes))
    {
        if (pages_.start == nullptr)
            pages_ = mapped(bytes);
    }
    ~MappedMemory()
    {
        if (!keep(pages_))
            munmap(pages_.start, pages_.bytes);
    }
    MappedMemory(const MappedMemory&) = delete;
    MappedMemory& operator=(const MappedMemory&) = delete;

    std::byte* start() const { return pages_.start; }
    std::size_t bytes() const { return pages_.bytes; }
    std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(pages_.start); }

private:
    // To zero more than that takes longer than to map it.
    static constexpr std::size_t longest_kept = 64 << 10;

    struct Pages {
        std::byte* start = nullptr;
        std::size_t bytes = 0;
    };
    struct Kept {
        ~Kept()
        {
            for (const Pages& pages : places)
                if (pages.start != nullptr)
                    munmap(pages.start, pages.bytes);
        }
        std::array<Pages, 4> places;
    };

    static Kept& kept()
    {
        thread_local Kept of_this_thread;
        return of_this_thread;
    }
    // Null: none of that size is kept.
    static Pages taken(std::size_t bytes)
    {
        for (Pages& pages : kept().places) {
            if (pages.start != nullptr && pages.bytes == bytes) {
                const Pages found = pages;
                pages = {};
                return found;
            }
        }
        return {};
    }
    // False: it is too long, or enough is kept.
    static bool keep(const Pages& given)
    {
        if (given.bytes > longest_kept)
            return false;
        for (Pages& pages : kept().places) {
            if (pages.start == nullptr) {
                std::memset(given.start, 0, given.bytes);
                pages = given;
                return true;
            }
        }
        return false;
    }
    static Pages mapped(std::size_t bytes)
    {
        void* const start =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (start == MAP_FAILED)
            throw std::bad_alloc();
        return {static_cast<std::byte*>(start), bytes};
    }

    Pages pages_;
};

} // namespace parley::testing

// SPDX-License-Identifier: MIT
// Places objects one after another into a stretch of memory, populating it page by page. Nothing is ever
// given back.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include "platform.hpp"

#include <cstddef>
#include <new>
#include <utility>

namespace parley::messaging {

class BumpAllocator {
public:
    // Leaves alone what lies behind the last whole page.
    BumpAllocator(std::byte* start, std::size_t bytes)
        : next_(start), populated_(start),
          end_(start + bytes - reinterpret_cast<std::uintptr_t>(start + bytes) % page_bytes)
    {
    }

    // Answers space without an object in it. Errors: no_memory.
    Result<std::byte*> space(std::size_t bytes, std::size_t alignment)
    {
        std::byte* const address = aligned(alignment);
        if (address > end_ || bytes > static_cast<std::size_t>(end_ - address))
            return std::unexpected(Error::no_memory);
        next_ = address + bytes;
        if (next_ > populated_) {
            const std::size_t more = round_up(static_cast<std::size_t>(next_ - populated_), page_bytes);
            TRY_VOID(platform::populate(populated_, more));
            populated_ += more;
        }
        return address;
    }

    // Answers space for `count` objects of a kind. Errors: no_memory.
    template <class Object>
    Result<Object*> space_for(std::size_t count = 1)
    {
        return reinterpret_cast<Object*>(TRY(space(count * sizeof(Object), alignof(Object))));
    }

    // Makes an object in new space. Errors: no_memory.
    template <class Object, class... Arguments>
    Result<Object*> place(Arguments&&... arguments)
    {
        std::byte* const memory = TRY(space(sizeof(Object), alignof(Object)));
        return new (memory) Object(std::forward<Arguments>(arguments)...);
    }

    // Takes whole pages from the end, without populating them. Errors: no_memory.
    Result<std::byte*> reserve_at_end(std::size_t bytes)
    {
        const std::size_t pages = round_up(bytes, page_bytes);
        if (pages > rest_bytes())
            return std::unexpected(Error::no_memory);
        end_ -= pages;
        return end_;
    }

    // What is left, from the next page on; not populated.
    std::byte* rest() { return aligned(page_bytes); }
    std::size_t rest_bytes()
    {
        std::byte* const start = rest();
        return start < end_ ? static_cast<std::size_t>(end_ - start) : 0;
    }

private:
    std::byte* aligned(std::size_t alignment) const
    {
        const auto address = reinterpret_cast<std::uintptr_t>(next_);
        return next_ + (round_up(address, alignment) - address);
    }

    std::byte* next_;
    std::byte* populated_;
    std::byte* end_;
};

} // namespace parley::messaging

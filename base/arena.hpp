// SPDX-License-Identifier: MIT
// Memory with one owner and one end: allocations are never freed singly, the whole arena goes when its owner
// goes. So nothing can leak: a job's kernel objects all live in the job's arena.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <new>
#include <utility>

namespace parley {

class Arena {
public:
    // Zeroed bytes, aligned to `alignment` (a power of two). Error::no_memory when the owner's budget is used
    // up.
    virtual Result<std::byte*> allocate(std::size_t bytes, std::size_t alignment) = 0;

    // An object in the arena. Its destructor is never run by the arena.
    template <class T, class... Arguments>
    Result<T*> create(Arguments&&... arguments)
    {
        std::byte* place = TRY(allocate(sizeof(T), alignof(T)));
        return ::new (place) T(std::forward<Arguments>(arguments)...);
    }

protected:
    ~Arena() = default;
};

} // namespace parley

// SPDX-License-Identifier: MIT
// Memory that is freed all at once: allocations are never freed one by one, the whole arena is freed with its
// owner. So nothing can leak: all kernel objects of a job lie in the job's arena.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <new>
#include <utility>

namespace parley {

class Arena {
public:
    // Zeroed bytes, aligned to `alignment` (a power of two). Errors: no_memory, the owner's budget is used
    // up.
    virtual Result<std::byte*> allocate(std::size_t bytes, std::size_t alignment) = 0;

    // An object in the arena. The arena never runs its destructor.
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

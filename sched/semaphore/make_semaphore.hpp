// SPDX-License-Identifier: MIT
// From the name of a kind of semaphores to the kind, for whoever makes jobs.
#pragma once

#include "base/arena.hpp"
#include "sched/semaphore/semaphore.hpp"

#include "sched/leaves.hpp"

#include <string_view>

namespace parley::sched {

// Makes the kind of that name, with values for all its arguments. It and the surroundings, which it refers
// to, live as long as the arena. Errors: not_found, where there is no such kind; no_memory.
inline Result<Semaphore*> make_semaphore(Arena& arena, std::string_view kind, const LeafValues& values,
                                         const SemaphoreSurroundings& surroundings)
{
    Result<Semaphore*> made = std::unexpected(Error::not_found);
    SemaphoreLeaves::with(kind, [&]<class Leaf>() {
        if constexpr (requires { Leaf::arguments; })
            made = arena.create<Leaf>(surroundings, values);
        else
            made = arena.create<Leaf>(surroundings);
    });
    return made;
}

} // namespace parley::sched

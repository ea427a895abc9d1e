// SPDX-License-Identifier: MIT
// The memory that a Synchronization's leaf needs beside the words of locks: a LockState for each lock and a
// PartyState for each party, in two arrays; and how it leaves locks.
#pragma once

#include "base/result.hpp"
#include "sched/synchronization/lock.hpp"

#include <cstddef>
#include <new>

namespace parley::sched {

struct States {
    std::byte* locks = nullptr;
    std::byte* parties = nullptr;
    std::size_t lock_bytes = 0;
    bool marks_waiters = false; // as the leaf states

    // The party of this number; and a lock of this number gets its state. Both belong to the same system.
    Party party(std::uint32_t number) const { return {number, parties}; }
    void equip(Lock& lock, std::uint32_t number) const
    {
        lock.state = locks + number * lock_bytes;
        lock.owners_word = marks_waiters ? 1 : Lock::by_owner;
    }
};

namespace detail {

template <class State, class Space>
Result<std::byte*> place_array(const Space& space, unsigned count)
{
    std::byte* const memory = TRY(space(count * sizeof(State), alignof(State)));
    for (unsigned index = 0; index < count; ++index)
        new (memory + index * sizeof(State)) State;
    return memory;
}

} // namespace detail

// `space(bytes, alignment)` is a Result<std::byte*>; its errors are this function's.
template <class S, class Space>
Result<States> place_states(const Space& space, unsigned locks, unsigned parties)
{
    States states;
    states.locks = TRY((detail::place_array<typename S::LockState>(space, locks)));
    states.parties = TRY((detail::place_array<typename S::PartyState>(space, parties)));
    states.lock_bytes = sizeof(typename S::LockState);
    states.marks_waiters = S::marks_waiters;
    return states;
}

// How much place_states() needs for a lock and a party, alignment apart.
template <class S>
constexpr std::size_t state_bytes = sizeof(typename S::LockState) + sizeof(typename S::PartyState);

} // namespace parley::sched

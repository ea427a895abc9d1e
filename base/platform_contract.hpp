// SPDX-License-Identifier: MIT
// The contract of a platform: what the message system and its waiting ask of their surroundings. The
// ports are headers `platform.hpp`, of which the include path chooses one: the kernel's (kernel/platform),
// the user-level library's (userlib/library), the native library's (native/library), and three for tests and
// studies: threads of Linux (arch/hosted), the explorer (testing/explored) and simulated processors
// (studies/cmmp/simulated). Each includes this header at its end and is checked here; an operation that it
// lacks, or has with another signature, is an error that names the operation.
//
// Every operation is called by a process of a job, for itself, and from many processors at once. Nothing
// waits but block(), suspend(), SpinWait::once() and pause(); only the last may be called with a ShortGuard
// held.
//
// What a party may do while it waits for what another does:
// - look at words that others change, as often as it likes;
// - pause between two looks, once or many times, at most 4,096 times;
// - where the wait may be long, pause through a SpinWait: made when the first look has failed, gone before
//   anything else is done. Between two of its pauses another process may have the processor, so whoever holds
//   what others spin for does not wait so. Once it has said that the process must end, it says so every time;
//   a party that others count on may go on until nobody does, then it gives up;
// - sleep on a word with block(), which looks at the word again, and be woken by wake() of that word; or with
//   suspend() and resume().
// It calls nothing that waits with a ShortGuard held.
#pragma once

#include "base/address.hpp"
#include "base/atomic.hpp"
#include "base/result.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace parley {

// The function exists, once, with just this signature.
template <auto* function, class Signature>
concept PlatformOperation = std::same_as<decltype(function), Signature*>;

// Around a spin that may be long: the process that spins can be preempted and killed. Only its own process
// uses it, and holds nothing that others spin for.
template <class Wait>
concept PlatformSpinWait = std::default_initializable<Wait> && requires(Wait& wait) {
    // Pause, perhaps while others have the processor; false when the process must give up, and then always. A
    // platform whose processes are ended where they stand, their jobs with them, never says so.
    { wait.once() } -> std::same_as<bool>;
};

namespace platform {

// A polite turn between two looks at memory. Never gives the processor away.
static_assert(PlatformOperation<&pause, void()>);

// The process has looked for something in vain, and its program will look again: whoever else wants its
// processor goes first; where nobody shares it, a pause. Called with nothing held.
static_assert(PlatformOperation<&give_way, void()>);

// How often to look for what should come at once, before a wait is begun in earnest: a few microseconds, in
// the kernel with interrupts off. 0 where processors share a core of the host.
static_assert(PlatformOperation<&brief_turns, unsigned()>);

// Between two of these looks: lets come what is on its way. Nothing where looks cost nobody anything.
static_assert(PlatformOperation<&between_looks, void()>);

static_assert(PlatformSpinWait<SpinWait>);

// Sleep unless the word is no longer `expected`: look and sleep are one step, which a wake() of the same word
// either precedes or ends. May return earlier, so whoever calls it looks again. False when the process must
// end.
static_assert(PlatformOperation<&block, bool(Atomic<std::uint32_t>& word, std::uint32_t expected)>);

// Up to so many sleepers on the word go on; those who change the word do so before. The answer, how many, is
// a hint. Any process of the job; locks may be held.
static_assert(PlatformOperation<&wake, unsigned(Atomic<std::uint32_t>& word, unsigned count)>);

// The same, where the design has its processes wait by semaphores (sched/synchronization/sleeping.hpp): to
// sleep is P, and to wake is V, of the kind that the job has for that. A sleeper holds no locks.
static_assert(PlatformOperation<&suspend, bool(Atomic<std::uint32_t>& word, std::uint32_t expected)>);
static_assert(PlatformOperation<&resume, unsigned(Atomic<std::uint32_t>& word, unsigned count)>);

// The process with this endpoint, of the caller's job, is to be interrupted while it computes
// (calls.def: watch); its waits end by their event. A platform that cannot interrupt does nothing.
static_assert(PlatformOperation<&notify, void(unsigned endpoint)>);

// The time, in a unit of the platform's: only differences on one machine mean something.
static_assert(PlatformOperation<&cycles, std::uint64_t()>);

// Between places of system memory that do not overlap; any alignment. Cannot fail.
static_assert(PlatformOperation<&copy, void(std::byte* to, const std::byte* from, std::size_t bytes)>);

// The caller reads these bytes now and writes there soon: one crossing between processors may do for both. A
// hint.
static_assert(PlatformOperation<&fetch_to_write, void(const std::byte* from, std::size_t bytes)>);

// From the calling process's memory, into it, and within it. Its addresses may be anything. May take page
// faults, and more than a page may be preempted, so that the caller of such a copy holds no lock. Errors:
// bad_buffer, where the program itself has no right to the memory; a part may have been copied. A platform
// whose processes are ended by a bad address has no errors.
static_assert(PlatformOperation<&copy_in, Result<void>(std::byte* to, UserAddress from, std::size_t bytes)>);
static_assert(
    PlatformOperation<&copy_out, Result<void>(UserAddress to, const std::byte* from, std::size_t bytes)>);
static_assert(
    PlatformOperation<&copy_across, Result<void>(UserAddress to, UserAddress from, std::size_t bytes)>);

// From the calling process's memory into that of another of its job, named by its endpoint; at most a page.
// Takes no page fault, so locks may be held. Errors: bad_buffer, also where a page is not there.
static_assert(PlatformOperation<&copy_to_process, Result<void>(unsigned endpoint, UserAddress to,
                                                               UserAddress from, std::size_t bytes)>);

// System memory that was only reserved gets its pages, charged to the job; where they come when they are
// touched, this does nothing. Locks may be held. Errors: no_memory.
static_assert(PlatformOperation<&populate, Result<void>(std::byte* start, std::size_t bytes)>);

} // namespace platform

} // namespace parley

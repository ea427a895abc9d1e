// SPDX-License-Identifier: MIT
// The contract of a platform: what the message system and its waiting need from their surroundings. The
// ports are headers `platform.hpp`, of which the include path chooses one: the kernel's (kernel/platform),
// the user-level library's (userlib/library), the native library's (native/library), and two for tests:
// threads of Linux (arch/hosted) and the explorer (testing/explored). Each includes this header at its end
// and is checked here; an operation that it lacks, or has with another signature, is an error that names the
// operation.
//
// A process of a job calls each operation for itself, and many processors do so at once. Only block(),
// suspend(), SpinWait::once() and pause() wait; only pause() may be called by a process that holds a
// ShortGuard.
//
// A party that waits for another may do this:
// - look at words that others change, as often as it likes;
// - pause between two looks, once or many times, at most 4,096 times;
// - if the wait may be long, pause through a SpinWait, which it makes when the first look has failed and
//   destroys before it does anything else. Between two of these pauses another process may have the
//   processor, so a party that holds what others spin for must not wait so. Once a SpinWait has said that the
//   process must end, it says so every time; a party that others depend on may go on until none does, and
//   gives up then;
// - sleep on a word with block(), which looks at the word again, and be woken by wake() of that word; or with
//   suspend() and resume().
// A party that holds a ShortGuard calls nothing that waits.
#pragma once

#include "base/address.hpp"
#include "base/atomic.hpp"
#include "base/result.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace parley {

// The function exists once, with exactly this signature.
template <auto* function, class Signature>
concept PlatformOperation = std::same_as<decltype(function), Signature*>;

// Exists during a spin that may be long: the process that spins can then be preempted and killed. Only
// that process uses it, and holds nothing that others spin for.
template <class Wait>
concept PlatformSpinWait = std::default_initializable<Wait> && requires(Wait& wait) {
    // Pauses; others may have the processor meanwhile. False: the process must give up, and every later
    // call answers false too. A platform that ends processes wherever they are, and their jobs with them,
    // never answers false.
    { wait.once() } -> std::same_as<bool>;
};

namespace platform {

// One pause between two looks at memory. The process keeps the processor.
static_assert(PlatformOperation<&pause, void()>);

// The process has looked for something in vain, and its program will look again: other processes that want
// its processor go first. If no other process shares the processor, this is a pause. The caller holds no
// lock.
static_assert(PlatformOperation<&give_way, void()>);

// How often a process looks for what should come at once before it waits: for a few microseconds, in the
// kernel with interrupts off. 0 if processors share a core of the host.
static_assert(PlatformOperation<&brief_turns, unsigned()>);

// Called between two of these looks, so that what is on its way can arrive. It does nothing if looks cost
// other processors nothing.
static_assert(PlatformOperation<&between_looks, void()>);

static_assert(PlatformSpinWait<SpinWait>);

// How many turns of a SpinWait take about as long as a sleep and its wake. Where others want the processor, a
// turn may let them have it, and takes longer.
static_assert(PlatformOperation<&sleep_turns, unsigned()>);

// The process sleeps unless the word is no longer `expected`. Look and sleep are one step, which a wake()
// of the same word either precedes or ends. It may return earlier, so the caller looks again. False: the
// process must end.
static_assert(PlatformOperation<&block, bool(Atomic<std::uint32_t>& word, std::uint32_t expected)>);

// Wakes up to so many sleepers on the word, which the caller has changed before. It answers how many, as a
// hint. Any process of the job may call it, and may hold locks.
static_assert(PlatformOperation<&wake, unsigned(Atomic<std::uint32_t>& word, unsigned count)>);

// Like block() and wake(), in a design whose processes wait by semaphores
// (sched/synchronization/sleeping.hpp): a sleep is a P, and a wake is a V, of the kind of semaphores that
// the job has for that. A sleeper holds no lock.
static_assert(PlatformOperation<&suspend, bool(Atomic<std::uint32_t>& word, std::uint32_t expected)>);
static_assert(PlatformOperation<&resume, unsigned(Atomic<std::uint32_t>& word, unsigned count)>);

// Interrupts the process with this endpoint, of the caller's job, while it computes (calls.def: watch);
// its waits end by their event. A platform that cannot interrupt does nothing.
static_assert(PlatformOperation<&notify, void(unsigned endpoint)>);

// The time, in a unit that the platform chooses: only differences on one machine have a meaning.
static_assert(PlatformOperation<&cycles, std::uint64_t()>);

// The time in nanoseconds since any moment, which is the same for all processes of the machine. A platform
// that has no clock always answers 0.
static_assert(PlatformOperation<&nanoseconds, std::uint64_t()>);

// Copies between ranges of system memory that do not overlap, with any alignment. It cannot fail.
static_assert(PlatformOperation<&copy, void(std::byte* to, const std::byte* from, std::size_t bytes)>);

// The caller reads these bytes now and will write them soon: a cache line may then move between processors
// once for both. This is a hint.
static_assert(PlatformOperation<&fetch_to_write, void(const std::byte* from, std::size_t bytes)>);

// Copies from the calling process's memory, into it, and within it. UserAddresses may have any value. A
// copy may take page faults, and one of more than a page may be preempted, so the caller of such a copy
// holds no lock. Errors: bad_buffer, the program itself has no right to the memory; a part may have been
// copied. A platform on which a bad address ends the process has no errors.
static_assert(PlatformOperation<&copy_in, Result<void>(std::byte* to, UserAddress from, std::size_t bytes)>);
static_assert(
    PlatformOperation<&copy_out, Result<void>(UserAddress to, const std::byte* from, std::size_t bytes)>);
static_assert(
    PlatformOperation<&copy_across, Result<void>(UserAddress to, UserAddress from, std::size_t bytes)>);

// Copies from the calling process's memory into that of another process of its job, named by its endpoint;
// at most a page. It takes no page fault, so the caller may hold locks. Errors: bad_buffer, also if a page
// has no memory.
static_assert(PlatformOperation<&copy_to_process, Result<void>(unsigned endpoint, UserAddress to,
                                                               UserAddress from, std::size_t bytes)>);

// Gives pages to system memory that was only reserved, and charges them to the job. It does nothing on a
// platform that makes pages when they are touched. The caller may hold locks. Errors: no_memory.
static_assert(PlatformOperation<&populate, Result<void>(std::byte* start, std::size_t bytes)>);

} // namespace platform

} // namespace parley

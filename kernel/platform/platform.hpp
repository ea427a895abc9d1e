// SPDX-License-Identifier: MIT
// What the message system needs of its surroundings, in the kernel. The same names exist for the user-level
// library (userlib/library) and for Linux (arch/hosted); the include path chooses.
#pragma once

#include "arch/architecture.hpp"
#include "arch/x86_64/registers.hpp"
#include "kernel/base/address.hpp"
#include "kernel/base/result.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/user_copy.hpp"

#include <atomic>
#include <cstddef>

namespace parley::platform {

// For loops that look at memory until another processor changes it. What a party may do while it waits:
// - look at words that others change, as often as it likes;
// - pause between two looks, once or many times, at most 4,096 times;
// - where the wait may be long, pause through a SpinWait: made when the first look has failed, gone before
//   anything else is done. Between two of its pauses another process may have the processor, so whoever holds
//   what others spin for does not wait so. Once it has said that the process must end, it says so every time;
//   a party that others count on may go on until nobody does, then it gives up;
// - sleep on a word with block(), which looks at the word again, and be woken by wake() of that word.
// It calls nothing that waits with a ShortGuard held.
inline void pause() { arch::pause(); }

// How often to look for what should come at once, before a wait is begun in earnest (SpinWait): a few
// microseconds with interrupts off. Not at all where processors share a core of the host.
inline unsigned brief_turns() { return arch::pause_wanted ? 0 : 1500; }

// Around a spin that may be long: the spinning process can be preempted and killed.
class SpinWait {
public:
    // Pause; false when the process must give up.
    bool once()
    {
        arch::pause();
        return !scope_.killed();
    }

private:
    kernel::Preemptible scope_;
};

// Sleep unless word != expected; may return early. False when the process has been killed.
bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(std::atomic<std::uint32_t>& word, unsigned count);

// A process of the current process's job, named by its endpoint, is to be interrupted
// (messaging::WatchState).
void notify(unsigned endpoint);

inline std::uint64_t cycles() { return arch::read_time_stamp(); }

extern "C" unsigned long parley_copy(void* to, const void* from, unsigned long bytes);
inline void copy(std::byte* to, const std::byte* from, std::size_t bytes) { parley_copy(to, from, bytes); }

inline Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes)
{
    return kernel::copy_from_user(to, from, bytes);
}
inline Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes)
{
    return kernel::copy_to_user(to, from, bytes);
}
inline Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes)
{
    return kernel::copy_user_to_user(to, from, bytes);
}
// From the current process's memory into another's of its job, named by its endpoint; at most a page. Needs
// no page fault and may be called with a lock held.
Result<void> copy_to_process(unsigned endpoint, UserAddress to, UserAddress from, std::size_t bytes);

// Give system memory that was only reserved its pages, charged to the job.
Result<void> populate(std::byte* start, std::size_t bytes);

} // namespace parley::platform

// SPDX-License-Identifier: MIT
// The platform of the message system in the kernel. Contract: base/platform_contract.hpp.
#pragma once

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/address.hpp"
#include "base/architecture.hpp"
#include "base/result.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/user_copy.hpp"

#include <atomic>
#include <cstddef>

namespace parley::platform {

inline void pause() { arch::pause(); }

void give_way();

inline unsigned brief_turns() { return arch::pause_wanted ? 0 : 1500; }
inline void between_looks() { }
inline unsigned sleep_turns() { return 600; }

class SpinWait {
public:
    bool once()
    {
        arch::pause();
        return !scope_.killed();
    }

private:
    kernel::Preemptible scope_;
};

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(std::atomic<std::uint32_t>& word, unsigned count);
bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned resume(std::atomic<std::uint32_t>& word, unsigned count);
void notify(unsigned endpoint);

inline std::uint64_t cycles() { return arch::read_time_stamp(); }
inline std::uint64_t nanoseconds() { return arch::nanoseconds(); }

extern "C" unsigned long parley_copy(void* to, const void* from, unsigned long bytes);
inline void copy(std::byte* to, const std::byte* from, std::size_t bytes) { parley_copy(to, from, bytes); }
inline void fetch_to_write(const std::byte*, std::size_t) { }

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
Result<void> copy_to_process(unsigned endpoint, UserAddress to, UserAddress from, std::size_t bytes);

Result<void> populate(std::byte* start, std::size_t bytes);

} // namespace parley::platform

#include "base/platform_contract.hpp"

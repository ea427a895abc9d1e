// SPDX-License-Identifier: MIT
// The platform of the message system on Linux: a process is a thread, and block() really sleeps. Contract:
// base/platform_contract.hpp.
#pragma once

#include "base/address.hpp"
#include "base/copy.hpp"
#include "base/result.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::platform {

void pause();
inline void give_way() { pause(); }
inline unsigned brief_turns() { return 50; }
inline void between_looks() { }
inline unsigned sleep_turns() { return 600; }

// The host may have fewer processors than processes, so spinning gives way.
class SpinWait {
public:
    SpinWait() = default;
    SpinWait(const SpinWait&) = delete;
    SpinWait& operator=(const SpinWait&) = delete;
    bool once();

private:
    unsigned turns_ = 0;
};

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(std::atomic<std::uint32_t>& word, unsigned count);
// Sleeps as the calling process says (hosted.hpp).
bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned resume(std::atomic<std::uint32_t>& word, unsigned count);

// Threads are not interrupted while they compute; their waits end with Error::interrupted like everybody's.
inline void notify(unsigned) { }
std::uint64_t cycles();
std::uint64_t nanoseconds();

Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes);
Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes);
Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes);
inline Result<void> copy_to_process(unsigned, UserAddress to, UserAddress from, std::size_t bytes)
{
    return copy_across(to, from, bytes);
}
void copy(std::byte* to, const std::byte* from, std::size_t bytes);
inline void fetch_to_write(const std::byte*, std::size_t) { }
Result<void> populate(std::byte* start, std::size_t bytes);

} // namespace parley::platform

#include "base/platform_contract.hpp"

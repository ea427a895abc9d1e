// SPDX-License-Identifier: MIT
// The system is a library in every domain, its data lies in the job's shared region, and the calling process
// runs its code: a program's memory is plain memory. A job can harm itself here, but no other job and never
// the kernel.
#pragma once

#include "interface/active_messages.h"
#include "messaging/location.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::messaging {

class UserLocation final : public Location {
public:
    static constexpr std::string_view name = "user";
    static constexpr std::string_view promise =
        "no proxy call unless a process sleeps; not promised: protection inside a job";
    static constexpr bool in_user = true;

    explicit UserLocation(const SharedRange& shared) : shared_(shared) { }

    Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) override
    {
        platform::copy(to, reinterpret_cast<const std::byte*>(from.value), bytes);
        return {};
    }
    Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) override
    {
        platform::copy(reinterpret_cast<std::byte*>(to.value), from, bytes);
        return {};
    }
    Result<void> copy_packet_in(std::byte* to, UserAddress from, std::size_t bytes) override
    {
        copy_packet(to, reinterpret_cast<const std::byte*>(from.value), bytes);
        return {};
    }
    Result<void> copy_packet_out(UserAddress to, const std::byte* from, std::size_t bytes) override
    {
        copy_packet(reinterpret_cast<std::byte*>(to.value), from, bytes);
        return {};
    }
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_in(reinterpret_cast<std::byte*>(to.value), from, bytes);
    }
    // Called only when all processes run in one domain.
    Result<void> copy_to(unsigned, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_across(to, from, bytes);
    }
    const SharedRange& shared() const override { return shared_; }
    bool checks_addresses() const override { return false; }

private:
    // No call, and no loop: whoever copies a packet has nothing to save for it.
    static void copy_packet(std::byte* to, const std::byte* from, std::size_t bytes)
    {
        __builtin_memcpy(to, from, PARLEY_ACTIVE_BRIEF);
        if (bytes > PARLEY_ACTIVE_BRIEF) [[unlikely]]
            __builtin_memcpy(to + PARLEY_ACTIVE_BRIEF, from + PARLEY_ACTIVE_BRIEF,
                             PARLEY_ACTIVE_BYTES - PARLEY_ACTIVE_BRIEF);
    }

    SharedRange shared_;
};

} // namespace parley::messaging

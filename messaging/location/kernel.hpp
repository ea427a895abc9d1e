// SPDX-License-Identifier: MIT
// The system lives in the kernel, reached by proxy calls: every touch of a program's memory is a checked user
// copy.
#pragma once

#include "interface/capabilities.h"
#include "messaging/location.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::messaging {

class KernelLocation final : public Location {
public:
    static constexpr std::string_view name = "kernel";
    static constexpr std::string_view promise =
        "sender identity stamped by the kernel; a bad buffer is an error of the call";
    static constexpr unsigned capabilities = NX_BUFFERS_ARE_CHECKED;
    static constexpr bool in_user = false;

    explicit KernelLocation(const SharedRange& shared) : shared_(shared) { }

    Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) override
    {
        return platform::copy_in(to, from, bytes);
    }
    Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) override
    {
        return platform::copy_out(to, from, bytes);
    }
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return platform::copy_across(to, from, bytes);
    }
    Result<void> copy_to(unsigned receiver, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return platform::copy_to_process(receiver, to, from, bytes);
    }
    const SharedRange& shared() const override { return shared_; }
    bool checks_addresses() const override { return true; }

private:
    SharedRange shared_;
};

} // namespace parley::messaging

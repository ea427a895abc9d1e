// SPDX-License-Identifier: MIT
// A Location of plays whose parties are programs in one address space: each copy is one of the explored
// platform.
#pragma once

#include "messaging/location.hpp"

#include "platform.hpp"

namespace parley::testing {

class PlainLocation final : public messaging::Location {
public:
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
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_out(to, reinterpret_cast<const std::byte*>(from.value), bytes);
    }
    Result<void> copy_to(unsigned, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_across(to, from, bytes);
    }
    const messaging::SharedRange& shared() const override { return shared_; }
    bool checks_addresses() const override { return false; }

private:
    messaging::SharedRange shared_{0, 0};
};

} // namespace parley::testing

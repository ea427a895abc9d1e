// SPDX-License-Identifier: MIT
// The system lives in the kernel and touches a program's memory a piece at a time, so that no one user copy
// is long. How long a piece may be it is told.
#pragma once

#include "base/leaf_argument.hpp"
#include "interface/capabilities.h"
#include "messaging/location/kernel.hpp"

#include <string_view>

namespace parley::messaging {

class PiecewiseLocation final : public Location {
public:
    static constexpr std::string_view name = "piecewise";
    static constexpr std::string_view promise = "as kernel, and no user copy is longer than it is told";
    static constexpr unsigned capabilities = KernelLocation::capabilities;
    static constexpr bool in_user = false;
    static constexpr LeafArgument arguments[] = {
        {"piece", "most bytes of one user copy", units::bytes, 1, 65'536, 512},
    };

    PiecewiseLocation(const SharedRange& shared, const LeafValues& values)
        : kernel_(shared), piece_(values[0])
    {
    }

    Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) override
    {
        return in_pieces(bytes, [&](std::size_t at, std::size_t piece) {
            return kernel_.copy_in(to + at, from + at, piece);
        });
    }
    Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) override
    {
        return in_pieces(bytes, [&](std::size_t at, std::size_t piece) {
            return kernel_.copy_out(to + at, from + at, piece);
        });
    }
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return in_pieces(bytes, [&](std::size_t at, std::size_t piece) {
            return kernel_.copy_across(to + at, from + at, piece);
        });
    }
    Result<void> copy_to(unsigned receiver, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return in_pieces(bytes, [&](std::size_t at, std::size_t piece) {
            return kernel_.copy_to(receiver, to + at, from + at, piece);
        });
    }
    const SharedRange& shared() const override { return kernel_.shared(); }
    bool checks_addresses() const override { return kernel_.checks_addresses(); }

private:
    template <class Copy>
    Result<void> in_pieces(std::size_t bytes, Copy copy) const
    {
        for (std::size_t at = 0; at < bytes; at += piece_)
            TRY_VOID(copy(at, bytes - at < piece_ ? bytes - at : piece_));
        return {};
    }

    KernelLocation kernel_;
    const std::size_t piece_;
};

} // namespace parley::messaging

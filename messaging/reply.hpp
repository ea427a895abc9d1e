// SPDX-License-Identifier: MIT
// The arguments of a send and of a receive, and the answer that is one word.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "interface/message_calls.h"

namespace parley::messaging {

using SendArguments = parley_send;
using ReceiveArguments = parley_receive;

// A Result<long> in one register: a number that is not negative, or minus that of an Error.
class Outcome {
public:
    constexpr Outcome(long number) : number_(number) { }
    constexpr Outcome(const std::unexpected<Error>& error) : number_(-static_cast<long>(error.error())) { }

    constexpr explicit operator bool() const { return number_ >= 0; }
    constexpr long operator*() const { return number_; }
    constexpr Error error() const { return static_cast<Error>(-number_); }
    constexpr long number() const { return number_; }

private:
    long number_;
};

} // namespace parley::messaging

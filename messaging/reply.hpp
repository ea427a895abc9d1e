// SPDX-License-Identifier: MIT
// What calls on a message system return, and the arguments of a send and of a receive. Layouts follow the
// proxy call.
#pragma once

#include "kernel/base/address.hpp"
#include "kernel/base/result.hpp"
#include "kernel/interface/senders.h"

namespace parley::messaging {

struct Reply {
    long value = 0;
    long type = -1; // of the message a receive or probe found; -1 otherwise
    long block = 0; // receive_block: where the bytes are; done and probe: the length
    long node = 0;  // its sender
    long pid = 0;
};

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

struct SendArguments {
    long type;
    UserAddress buffer;
    long length;
    long node;        // -1: all nodes but the caller's
    std::uint64_t to; // an address (kernel/interface/senders.h)

    std::int32_t pid() const { return static_cast<std::int32_t>(to >> PARLEY_PID_SHIFT); }
};

struct ReceiveArguments {
    long typesel;
    UserAddress buffer;
    long maximum;
    std::uint64_t from; // the senders: kernel/interface/senders.h
    std::uint64_t mask;
};

} // namespace parley::messaging

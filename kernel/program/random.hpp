// SPDX-License-Identifier: MIT
// Numbers that look random and repeat with their seed (Marsaglia's xorshift with a multiplication), so that
// runs repeat. Not for secrets.
#pragma once

#include <cstdint>

namespace parley::kernel {

class Random {
public:
    // Neighbouring seeds are spread apart, and the state must not be 0, where xorshift stays.
    explicit Random(std::uint64_t seed) : state_((seed + 1) * 0x9e37'79b9'7f4a'7c15ull | 1) { }

    std::uint64_t next()
    {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545'f491'4f6c'dd1dull;
    }

private:
    std::uint64_t state_;
};

} // namespace parley::kernel

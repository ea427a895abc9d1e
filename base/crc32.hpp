// SPDX-License-Identifier: MIT
// CRC-32 (IEEE), which ends each frame of results (interface/results.h). It takes four bits in a step: a
// table of sixteen words is fast enough for a channel of one byte a microsecond, and for a trace at the
// end of a job.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parley {

class Crc32 {
public:
    void add(std::span<const std::byte> bytes)
    {
        for (const std::byte byte : bytes) {
            sum_ ^= static_cast<std::uint8_t>(byte);
            sum_ = sum_ >> 4 ^ steps[sum_ & 15];
            sum_ = sum_ >> 4 ^ steps[sum_ & 15];
        }
    }
    std::uint32_t value() const { return ~sum_; }

private:
    static consteval std::array<std::uint32_t, 16> make_steps()
    {
        constexpr std::uint32_t polynomial = 0xedb88320;
        std::array<std::uint32_t, 16> made{};
        for (std::uint32_t i = 0; i < made.size(); ++i) {
            made[i] = i;
            for (int bit = 0; bit < 4; ++bit)
                made[i] = (made[i] & 1) != 0 ? made[i] >> 1 ^ polynomial : made[i] >> 1;
        }
        return made;
    }
    static const std::array<std::uint32_t, 16> steps;

    std::uint32_t sum_ = ~std::uint32_t{0};
};

inline constexpr std::array<std::uint32_t, 16> Crc32::steps = Crc32::make_steps();

} // namespace parley

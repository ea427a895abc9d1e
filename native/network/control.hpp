// SPDX-License-Identifier: MIT
// Between nxrun and the helper of its machine that has the network: packets over a socket, which the helper
// passes on to another machine's nxrun, in order. What nxrun itself wants of the helper goes the same way.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::native {

struct ControlHead {
    static constexpr std::uint32_t none = 0xffff'ffff;
    static constexpr std::uint32_t over = 0xffff'fffe; // as `machine`: the job is over everywhere

    std::uint32_t machine; // where to; of what comes, where from
    // An endpoint of this machine, whose messages must have arrived first; or none.
    std::uint32_t after;
};

// Longest packet, its head included.
inline constexpr std::size_t longest_control = 64 * 1024;

} // namespace parley::native

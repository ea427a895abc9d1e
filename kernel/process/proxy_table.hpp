// SPDX-License-Identifier: MIT
// A process's proxies: the numbers by which its program names kernel objects (paper section 3.2,
// Application/Kernel interface). A number carries its class and a generation, so a stale or invented
// one is found out.
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::kernel {

enum class ObjectClass : std::uint8_t { none, messages, results, process, gangs, job, semaphores };

// Checks are full or reduced (proxy_calls.hpp). Full ones compare the number of every call with the table.
// Reduced ones take the object on trust from the process's own fixed place, as the paper's customised
// interface does; still only the process's own objects can be reached.
class ProxyTable {
public:
    // A proxy for the process's object of that class; 0 is never one.
    std::uint32_t add(ObjectClass kind)
    {
        const std::uint32_t proxy = static_cast<std::uint32_t>(kind) | ++generation_ << index_bits;
        proxies_[static_cast<std::size_t>(kind)] = proxy;
        return proxy;
    }
    // The object is gone; its proxy is refused from now on.
    void revoke(ObjectClass kind) { proxies_[static_cast<std::size_t>(kind)] = nothing; }

    // Whether this number is a proxy of this process, for an object of that class that still exists.
    bool check(std::uint32_t proxy, ObjectClass kind) const
    {
        return proxy == proxies_[static_cast<std::size_t>(kind)];
    }
    // The number of the process's proxy for such an object; 0 where it has none.
    std::uint32_t of(ObjectClass kind) const
    {
        return valid(kind) ? static_cast<std::uint32_t>(proxies_[static_cast<std::size_t>(kind)]) : 0;
    }
    bool valid(ObjectClass kind) const { return proxies_[static_cast<std::size_t>(kind)] != nothing; }

private:
    static constexpr unsigned index_bits = 3;
    static constexpr std::uint64_t nothing = ~std::uint64_t{0}; // longer than any proxy, so none is like it

    static constexpr std::array<std::uint64_t, 1 << index_bits> empty()
    {
        std::array<std::uint64_t, 1 << index_bits> proxies{};
        proxies.fill(nothing);
        return proxies;
    }

    std::array<std::uint64_t, 1 << index_bits> proxies_ = empty(); // by class
    std::uint32_t generation_ = 0;
};

} // namespace parley::kernel

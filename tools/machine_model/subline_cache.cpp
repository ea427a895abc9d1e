// SPDX-License-Identifier: MIT
#include "tools/machine_model/subline_cache.hpp"

namespace parley::machine_model {

SublineCache::SublineCache(const CacheGeometry& geometry)
    : geometry_{geometry}, lines_(geometry.bytes / geometry.line)
{
}

// Of the sublines in the aligned part of `bytes` bytes that holds the address.
std::uint32_t SublineCache::bits(std::uint64_t address, std::uint64_t bytes) const
{
    const std::uint64_t first = address % geometry_.line / bytes * bytes / geometry_.subline;
    const std::uint64_t count = bytes / geometry_.subline;
    return static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << first);
}

void SublineCache::add(std::uint64_t address, std::uint32_t bits)
{
    Line& place = line(address);
    if (place.tag != number(address))
        place = {number(address), 0};
    place.valid |= bits;
}

bool SublineCache::holds(std::uint64_t address) const
{
    const Line& place = line(address);
    return place.tag == number(address) && (place.valid & bits(address, geometry_.subline)) != 0;
}

void SublineCache::fill(std::uint64_t address) { add(address, bits(address, geometry_.fill)); }

void SublineCache::put(std::uint64_t address) { add(address, bits(address, geometry_.subline)); }

bool SublineCache::invalidate(std::uint64_t address)
{
    if (!holds(address))
        return false;
    line(address).valid &= ~bits(address, geometry_.subline);
    return true;
}

} // namespace parley::machine_model

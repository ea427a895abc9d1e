// SPDX-License-Identifier: MIT
#include "tools/machine_model/line_cache.hpp"

namespace parley::machine_model {

LineCache::LineCache(std::size_t lines, unsigned ways) : ways_{ways}, places_(lines) { }

LineCache::Place* LineCache::find(std::uint64_t line)
{
    Place* const set = set_of(line);
    for (unsigned way = 0; way < ways_; ++way)
        if (set[way].used != 0 && set[way].line == line)
            return &set[way];
    return nullptr;
}

bool LineCache::use(std::uint64_t line)
{
    Place* const place = find(line);
    if (place == nullptr)
        return false;
    place->used = ++now_;
    return true;
}

std::optional<std::uint64_t> LineCache::put(std::uint64_t line)
{
    Place* const set = set_of(line);
    Place* oldest = set;
    for (unsigned way = 1; way < ways_; ++way)
        if (set[way].used < oldest->used)
            oldest = &set[way];
    std::optional<std::uint64_t> gone;
    if (oldest->used != 0)
        gone = oldest->line;
    *oldest = {line, ++now_};
    return gone;
}

void LineCache::remove(std::uint64_t line)
{
    if (Place* const place = find(line))
        *place = {};
}

} // namespace parley::machine_model

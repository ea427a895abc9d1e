// SPDX-License-Identifier: MIT
#include "native/nxrun/trace_collection.hpp"

#include <algorithm>

namespace parley::native {

bool TraceCollection::is_complete()
{
    if (!is_watched())
        return true;
    if (!gathering_) {
        gathering_.emplace(machines_, looks_);
        for (unsigned machine = 1; machine < machines_; ++machine)
            post_.send(machine, {Packet::Kind::collect});
    }
    return gathering_->is_over();
}

void TraceCollection::receive(unsigned machine, const Packet& packet)
{
    if (!gathering_)
        return;
    const auto from = static_cast<std::uint64_t>(packet.words[0]);
    const auto total = static_cast<std::uint64_t>(packet.words[1]);
    if (const auto next = gathering_->add(machine, from, total, packet.text))
        post_.send(machine, {Packet::Kind::collect, 0, {static_cast<std::int64_t>(*next)}});
}

std::vector<RankTime> TraceCollection::put_together()
{
    if (!is_watched())
        return {};
    trace_.emplace(area_, clock_.hertz, clock_.start);
    for (unsigned machine = 1; machine < machines_; ++machine)
        trace_->add(gathering_ ? gathering_->take(machine) : std::vector<std::byte>{}, readings_(machine));
    return trace_->times();
}

Packet TraceSender::piece(std::uint64_t from)
{
    if (packed_.empty())
        packed_ = TracePart(area_, clock_.hertz).packed();
    const std::size_t total = packed_.size(), begin = std::min<std::size_t>(from, total);
    return {Packet::Kind::written,
            0,
            {static_cast<std::int64_t>(from), static_cast<std::int64_t>(total)},
            std::string(reinterpret_cast<const char*>(packed_.data()) + begin,
                        std::min(longest_text, total - begin))};
}

} // namespace parley::native

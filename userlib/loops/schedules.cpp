// SPDX-License-Identifier: MIT
#include "userlib/loops/schedules.hpp"

#include "userlib/loops/this_thread.hpp"

namespace parley::loops {

namespace {

const DistributionKind *static_kind, *chunk_kind, *stealing_kind, *guided_kind;

std::uint64_t size_of(long chunk, std::uint64_t standard)
{
    return chunk > 0 ? static_cast<std::uint64_t>(chunk) : standard;
}

Chosen<DistributionKind> chosen(const DistributionKind* kind, std::uint64_t size)
{
    const Chosen<DistributionKind>& for_all = process().choice.distribution;
    return for_all.kind != nullptr ? for_all : Chosen<DistributionKind>{kind, {size}};
}

} // namespace

void prepare_schedules()
{
    static_kind = distribution("static").kind;
    chunk_kind = distribution("chunk").kind;
    stealing_kind = distribution("stealing").kind;
    guided_kind = distribution("guided").kind;
}

Chosen<DistributionKind> static_of(long chunk)
{
    return in_order(chosen(static_kind, size_of(chunk, 0)), chunk);
}
Chosen<DistributionKind> in_order(const Chosen<DistributionKind>& wanted, long chunk)
{
    return wanted.kind->keeps_order ? wanted : Chosen<DistributionKind>{chunk_kind, {size_of(chunk, 1)}};
}
Chosen<DistributionKind> dynamic_of(long chunk)
{
    return in_order(chosen(chunk_kind, size_of(chunk, 1)), chunk);
}
Chosen<DistributionKind> nonmonotonic_dynamic_of(long chunk)
{
    return chosen(stealing_kind, size_of(chunk, 1));
}
Chosen<DistributionKind> guided_of(long chunk) { return in_order(nonmonotonic_guided_of(chunk), chunk); }
Chosen<DistributionKind> nonmonotonic_guided_of(long chunk) { return chosen(guided_kind, size_of(chunk, 1)); }
Chosen<DistributionKind> sections_of() { return {chunk_kind, {1}}; }

// Where iterations need not be handed out in their order, threads take them from ranges of their own.
Chosen<DistributionKind> runtime_of(int kind, long chunk)
{
    const bool orders = kind < 0;
    switch (kind & 0xff) {
    case 2: return orders ? dynamic_of(chunk) : nonmonotonic_dynamic_of(chunk);
    case 3: return orders ? guided_of(chunk) : nonmonotonic_guided_of(chunk);
    default: return orders ? static_of(chunk) : chosen(static_kind, size_of(chunk, 0));
    }
}

} // namespace parley::loops

// SPDX-License-Identifier: MIT
#include "userlib/loops/kinds.hpp"

#include "messaging/design/leaf_arguments.hpp"

#include "userlib/loops/leaves.hpp"

#include <array>
#include <new>
#include <type_traits>

namespace parley::loops {

namespace {

template <class Class, class Leaf, class Parts>
Leaf* make(void* place, const Parts& parts, const LeafValues& values)
{
    if constexpr (std::is_constructible_v<Class, const Parts&, const LeafValues&>)
        return new (place) Class(parts, values);
    else
        return new (place) Class(parts);
}

template <class Class>
bool next_of(Distribution& leaf, unsigned number, Cursor& mine, Chunk& chunk)
{
    return static_cast<Class&>(leaf).next(number, mine, chunk);
}

template <class Class>
void meet_of(Barrier& leaf, unsigned number, Meanwhile& meanwhile)
{
    static_cast<Class&>(leaf).meet(number, meanwhile);
}

template <class Class>
void gather_of(Barrier& leaf, unsigned number, Meanwhile& meanwhile)
{
    static_cast<Class&>(leaf).gather(number, meanwhile);
}

template <class Class, class Leaf, class Parts>
constexpr auto kind_of()
{
    static_assert(messaging::is_plain_name(Class::name) && !Class::promise.empty());
    static_assert(messaging::are_declared_well(messaging::arguments_of<Class>()));
    static_assert(alignof(Class) <= line_bytes && std::is_trivially_destructible_v<Class>);
    const Kind<Leaf, Parts> kind{Class::name, Class::promise, messaging::arguments_of<Class>(), sizeof(Class),
                                 &make<Class, Leaf, Parts>};
    static_assert(std::is_final_v<Class>);
    if constexpr (std::is_same_v<Leaf, Distribution>)
        return DistributionKind{kind, &next_of<Class>, Class::keeps_order};
    else if constexpr (std::is_same_v<Leaf, Barrier>)
        return BarrierKind{kind, &meet_of<Class>, &gather_of<Class>};
    else
        return kind;
}

template <class Leaf, class Parts, class... Classes>
constexpr auto kinds_of(messaging::LeafList<Classes...>)
{
    return std::array{kind_of<Classes, Leaf, Parts>()...};
}

constexpr auto all_distributions = kinds_of<Distribution, DistributionParts>(DistributionLeaves{});
constexpr auto all_barriers = kinds_of<Barrier, BarrierParts>(BarrierLeaves{});
constexpr auto all_waits = kinds_of<Wait, WaitParts>(WaitLeaves{});

constexpr bool are_small()
{
    for (const DistributionKind& kind : all_distributions)
        if (kind.bytes > Distribution::most_bytes)
            return false;
    return true;
}
static_assert(are_small(), "a distribution is larger than Distribution::most_bytes");

} // namespace

std::span<const DistributionKind> distributions() { return all_distributions; }
std::span<const BarrierKind> barriers() { return all_barriers; }
std::span<const WaitKind> waits() { return all_waits; }

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// The only source that names leaves, and it knows them as lists.
#include "kernel/job/composition.hpp"

#include "kernel/job/leaves.hpp"

#include <type_traits>

namespace parley::kernel {

namespace {

// What a factor's class is told (messaging/design/leaf_arguments.hpp) it gets here too, if it wants it.
template <class Leaf>
Result<Leaf*> create_leaf(Arena& arena, const LeafValues& values)
{
    if constexpr (std::is_constructible_v<Leaf, const LeafValues&>)
        return arena.create<Leaf>(values);
    else
        return arena.create<Leaf>();
}

template <class List, class Base>
Result<Base*> make_leaf(Arena& arena, const messaging::LeafChoice& choice)
{
    Result<Base*> made = std::unexpected(Error::not_found);
    List::with(choice.name, [&]<class Leaf>() {
        const Result<Leaf*> leaf = create_leaf<Leaf>(arena, choice.values);
        if (leaf)
            made = *leaf;
        else
            made = std::unexpected(leaf.error());
    });
    return made;
}

} // namespace

Result<SystemHome*> make_system_home(Arena& arena, const messaging::Design& design)
{
    return make_leaf<SystemHomeLeaves, SystemHome>(arena, design.location);
}

Result<Residency*> make_residency(Arena& arena, const messaging::Design& design)
{
    return make_leaf<ResidencyLeaves, Residency>(arena, design.context_switch);
}

} // namespace parley::kernel

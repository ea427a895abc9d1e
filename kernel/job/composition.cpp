// SPDX-License-Identifier: MIT
// The only source that names leaves, and it knows them as lists.
#include "kernel/job/composition.hpp"

#include "kernel/job/leaves.hpp"

namespace parley::kernel {

namespace {

template <class List, class Base>
Result<Base*> make_leaf(Arena& arena, std::string_view name)
{
    Result<Base*> made = std::unexpected(Error::not_found);
    List::with(name, [&]<class Leaf>() {
        const Result<Leaf*> leaf = arena.create<Leaf>();
        if (leaf)
            made = *leaf;
        else
            made = std::unexpected(leaf.error());
    });
    return made;
}

} // namespace

Result<Location*> make_location(Arena& arena, const messaging::Design& design)
{
    return make_leaf<LocationLeaves, Location>(arena, design.location);
}

Result<ContextSwitch*> make_context_switch(Arena& arena, const messaging::Design& design)
{
    return make_leaf<ContextSwitchLeaves, ContextSwitch>(arena, design.context_switch);
}

} // namespace parley::kernel

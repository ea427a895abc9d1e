// SPDX-License-Identifier: MIT
#include "messaging/design/semaphores.hpp"

#include "messaging/design/nearest_name.hpp"
#include "messaging/design/split.hpp"

#include "sched/leaves.hpp"

namespace parley::messaging {

namespace {

struct SemaphoreLeafTable {
    LeafInfo entries[sched::SemaphoreLeaves::size];
};

constexpr SemaphoreLeafTable semaphore_table = [] {
    SemaphoreLeafTable table{};
    std::size_t at = 0;
    sched::SemaphoreLeaves::for_each([&]<class Leaf>() {
        static_assert(is_plain_name(Leaf::name));
        static_assert(are_declared_well(arguments_of<Leaf>()));
        table.entries[at++] = {"semaphore", Leaf::name, Leaf::promise, arguments_of<Leaf>()};
    });
    return table;
}();

const LeafInfo* find(std::string_view name)
{
    for (const LeafInfo& leaf : semaphores())
        if (leaf.name == name)
            return &leaf;
    return nullptr;
}

std::string_view shortened(std::string_view name)
{
    constexpr std::size_t shown = 40;
    return {name.data(), name.size() < shown ? name.size() : shown};
}

} // namespace

std::span<const LeafInfo> semaphores() { return semaphore_table.entries; }

FixedString parse_semaphore(std::string_view text, LeafChoice& kind)
{
    const std::string_view name = split(text, ':').before;
    std::string_view arguments = text;
    arguments.remove_prefix(name.size());
    if (const LeafInfo* const leaf = find(name)) {
        FixedString full_name;
        full_name << "semaphore=" << leaf->name;
        kind.name = leaf->name;
        return parse_arguments(full_name.text(), leaf->arguments, arguments, kind.values);
    }
    NearestName nearest(name);
    FixedString problem;
    problem << "there are no semaphores '" << shortened(name) << "'; there are";
    std::string_view between = " ";
    for (const LeafInfo& leaf : semaphores()) {
        nearest.consider(leaf.name);
        problem << between << leaf.name;
        between = ", ";
    }
    return problem << "; did you mean '" << nearest.best() << "'?";
}

FixedString canonical_semaphore(const LeafChoice& kind) { return canonical(*find(kind.name), kind.values); }

} // namespace parley::messaging

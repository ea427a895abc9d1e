// SPDX-License-Identifier: MIT
// A leaf of the factor synchronization as a value, and how a composed system makes it: what a test does with
// every leaf is compiled once.
#pragma once

#include "sched/synchronization/states.hpp"
#include "sched/synchronization/synchronization.hpp"
#include "testing/made.hpp"
#include "testing/selection.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace parley::testing {

struct SynchronizationLeaf {
    using Space = std::function<Result<std::byte*>(std::size_t bytes, std::size_t alignment)>;

    std::string_view name;       // as users write it; none of a leaf that only a test has
    std::string_view semaphores; // the kind of semaphores by which processes wait, if they do
    LeafValues (*values)();
    std::shared_ptr<sched::Synchronization> (*make)();
    sched::States (*place)(const Space& space, unsigned parties); // of one lock
};

template <class S>
constexpr std::string_view semaphores_of = [] {
    if constexpr (requires { S::semaphores; })
        return std::string_view(S::semaphores);
    else
        return std::string_view();
}();

template <class S>
constexpr SynchronizationLeaf synchronization_leaf{
    name_of<S>,
    semaphores_of<S>,
    [] {
        if constexpr (messaging::HasArguments<S>)
            return messaging::completed(messaging::arguments_of<S>());
        else
            return LeafValues{};
    },
    [] { return std::shared_ptr<sched::Synchronization>(std::shared_ptr<S>(new S(made<S>()))); },
    [](const SynchronizationLeaf::Space& space, unsigned parties) {
        return *sched::place_states<S>(space, 1, parties);
    },
};

// Calls use(leaf) for every Synchronization of a list, or for the selected one, as for_each_leaf() does.
template <class Leaves>
void for_each_synchronization(const std::function<void(const SynchronizationLeaf&)>& use)
{
    for_each_leaf<Leaves>([&]<class S>() { use(synchronization_leaf<S>); });
}

} // namespace parley::testing

// SPDX-License-Identifier: MIT
// Every combination of the factors' classes, taken from the list of leaves, so that a new leaf joins in by
// itself; those of the selected leaf, if one is selected.
#pragma once

#include "messaging/design/design.hpp"
#include "testing/selection.hpp"

#include <string_view>
#include <vector>

namespace parley::testing {

// Each class of a factor, told nothing.
inline std::vector<messaging::LeafChoice> choices_of(std::string_view factor)
{
    std::vector<messaging::LeafChoice> choices;
    for (const messaging::LeafInfo& leaf : messaging::leaves())
        if (leaf.factor == factor)
            choices.emplace_back(leaf.name, messaging::completed(leaf.arguments));
    for (const messaging::LeafChoice& choice : choices)
        if (choice.name == selected_leaf())
            return {choice};
    return choices;
}

inline std::vector<messaging::Design> every_design()
{
    std::vector<messaging::Design> designs{messaging::Design{}};
    const auto multiply = [&](std::string_view factor, messaging::LeafChoice messaging::Design::* member) {
        std::vector<messaging::Design> more;
        for (const messaging::Design& design : designs)
            for (const messaging::LeafChoice& choice : choices_of(factor)) {
                more.push_back(design);
                more.back().*member = choice;
            }
        designs = more;
    };
    multiply("location", &messaging::Design::location);
    multiply("context-switch", &messaging::Design::context_switch);
    multiply("interaction", &messaging::Design::interaction);
    multiply("port", &messaging::Design::port);
    multiply("transport", &messaging::Design::transport);
    multiply("synchronization", &messaging::Design::synchronization);
    multiply("transfer", &messaging::Design::transfer);
    // Behaviours are those of NX/2, which are not promised over a port that keeps no order.
    std::erase_if(designs,
                  [](const messaging::Design& design) { return !messaging::traits_of(design).keeps_order; });
    // The queues whose claim is a lock are fifo's with another claim, which the tests of ports try; one of
    // them stands for all here. So does one of those that are lists.
    std::erase_if(designs, [](const messaging::Design& design) {
        for (const std::string_view rival :
             {"test-and-set", "test-and-test-and-set", "anderson", "preemption-safe", "pull-based"})
            if (design.port.name == rival && rival != selected_leaf())
                return true;
        return false;
    });
    // On one machine a transport that joins several is another's equal, and one whose helpers are devices is
    // like transport=process, but for the time that it takes; and those that wait by semaphores do so at the
    // same places as synchronization=semaphore, so a test of their own takes a few of them.
    std::erase_if(designs, [](const messaging::Design& design) {
        const messaging::DesignTraits traits = messaging::traits_of(design);
        const bool is_another = traits.joins_machines || traits.helpers_are_devices;
        return (is_another && design.transport.name != selected_leaf()) ||
               (!traits.semaphores.empty() && design.synchronization.name != selected_leaf());
    });
    return designs;
}

// True of every design, unless a leaf is selected that it does not have.
inline bool is_selected(const messaging::Design& design)
{
    for (const std::string_view factor : messaging::factor_names())
        if (messaging::choice_of(design, factor).name == selected_leaf())
            return true;
    return selected_leaf().empty();
}

} // namespace parley::testing

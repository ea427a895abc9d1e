// SPDX-License-Identifier: MIT
// The table of refusals: combinations that make no sense on a machine, each with its reason.
#include "interface/limits.h"
#include "messaging/design/design.hpp"

#include <algorithm>
#include <string_view>

namespace parley::messaging {

namespace {

constexpr RefusalRule rules[] = {
    {"this transport joins several machines: boot several (BOOTS=), or start the program with nxrun "
     "--hosts, or nxrun with mpirun",
     [](const DesignTraits& traits, const MachineSize& machine) {
         return traits.joins_machines && machine.machines == 1;
     }},
    {"this transport keeps to one machine: leave the word out when the nodes are on several",
     [](const DesignTraits& traits, const MachineSize& machine) {
         return !traits.joins_machines && machine.machines > 1;
     }},
    {"polling chooses how often the network is looked into beside a machine's own messages, and this "
     "transport has no network: leave the word out, or let the nodes be on several machines or, booted, in "
     "several multiprocessors (MULTIPROCESSORS=2)",
     [](const DesignTraits& traits, const MachineSize&) {
         return !traits.polls_as_usual && !traits.joins_machines && !traits.processes_look;
     }},
    {"a transport with delivery processes needs a processor for each of them when waiting keeps the "
     "processor: give the run so many more processors than nodes, or choose synchronization=semaphore",
     [](const DesignTraits& traits, const MachineSize& machine) {
         return traits.helpers > 0 && traits.spins && !traits.joins_machines && !traits.helpers_are_devices &&
                machine.processors < machine.nodes + traits.helpers;
     }},
    {"this transfer moves messages straight into the receiver's memory, which a message system in user "
     "space (location=user) reaches only in one domain: choose location=kernel or context-switch=light",
     [](const DesignTraits& traits, const MachineSize&) {
         return traits.writes_to_receivers && traits.in_user && !traits.one_domain;
     }},
    {"a job has at most " PARLEY_LIMIT_TEXT(
         PARLEY_MAX_PROCESSES) " processes, its host and its delivery process counted: take fewer nodes "
                               "(NODES=) or fewer processes on each (PIDS=)",
     [](const DesignTraits& traits, const MachineSize& machine) {
         return machine.nodes + traits.helpers > PARLEY_MAX_PROCESSES;
     }},
    {"a job needs at least one node, and a machine one processor",
     [](const DesignTraits&, const MachineSize& machine) {
         return machine.nodes == 0 || machine.processors == 0;
     }},
};

bool has_class(std::string_view factor, std::string_view name)
{
    return std::ranges::any_of(
        leaves(), [&](const LeafInfo& leaf) { return leaf.factor == factor && leaf.name == name; });
}

// Presets name classes, and a class is one file, which may be gone.
FixedString missing_class(const Design& design)
{
    FixedString sentence;
    for (const std::string_view factor : factor_names())
        if (const std::string_view name = choice_of(design, factor).name; !has_class(factor, name))
            return sentence << "this build has no " << factor << " '" << name
                            << "', which the design names: choose another (" << factor
                            << "=), or bring the class's file back and build again";
    return sentence;
}

} // namespace

std::span<const RefusalRule> refusal_rules() { return rules; }

FixedString refusal(const Design& design, const MachineSize& machine)
{
    FixedString sentence = missing_class(design);
    if (!sentence.empty())
        return sentence;
    const DesignTraits traits = traits_of(design);
    for (const RefusalRule& rule : rules)
        if (rule.applies(traits, machine))
            return sentence << rule.reason;
    return sentence;
}

} // namespace parley::messaging

// SPDX-License-Identifier: MIT
// What the classes of a design say of themselves, put together.
#include "interface/capabilities.h"
#include "messaging/design/design.hpp"
#include "messaging/factors.hpp"

#include "messaging/leaves.hpp"

namespace parley::messaging {

namespace {

// Calls use.template operator()<Leaf>() for each class of a design.
template <class Use>
void for_each_class(const Design& design, Use use)
{
#define PARLEY_FACTOR_CLASS(identifier, factor, list) list::with(design.identifier.name, use);
    PARLEY_FACTORS(PARLEY_FACTOR_CLASS)
#undef PARLEY_FACTOR_CLASS
}

// What its classes say, each by itself.
unsigned stated_capabilities(const Design& design)
{
    unsigned stated = 0;
    for_each_class(design, [&]<class Leaf>() {
        if constexpr (requires { Leaf::capabilities; })
            stated |= Leaf::capabilities;
    });
    return stated;
}

// A Synchronization that does not say so looks first if looking is all that it does.
template <class Leaf>
consteval bool looks_first()
{
    if constexpr (requires { Leaf::looks_first; })
        return Leaf::looks_first;
    else
        return Leaf::spins;
}

// A port that does not say so keeps the order of each sender's messages.
template <class Leaf>
consteval bool keeps_order()
{
    if constexpr (requires { Leaf::keeps_order; })
        return Leaf::keeps_order;
    else
        return true;
}

// A Transport that says nothing keeps to one machine, its processes look into their mailboxes alone, and its
// helpers are processes like others.
template <class Leaf>
consteval bool joins_machines()
{
    if constexpr (requires { Leaf::joins_machines; })
        return Leaf::joins_machines;
    else
        return false;
}
template <class Leaf>
consteval bool processes_look()
{
    if constexpr (requires { Leaf::processes_look; })
        return Leaf::processes_look;
    else
        return false;
}
template <class Leaf>
consteval bool helpers_are_devices()
{
    if constexpr (requires { Leaf::helpers_are_devices; })
        return Leaf::helpers_are_devices;
    else
        return false;
}

} // namespace

DesignTraits traits_of(const Design& design)
{
    DesignTraits traits{};
    LocationLeaves::with(design.location.name, [&]<class Leaf>() { traits.in_user = Leaf::in_user; });
    SynchronizationLeaves::with(design.synchronization.name, [&]<class Leaf>() {
        traits.spins = Leaf::spins;
        traits.looks_first = looks_first<Leaf>();
        if constexpr (requires { Leaf::semaphores; })
            traits.semaphores = Leaf::semaphores;
    });
    PortLeaves::with(design.port.name, [&]<class Leaf>() { traits.keeps_order = keeps_order<Leaf>(); });
    TransferLeaves<>::with(design.transfer.name,
                           [&]<class Leaf>() { traits.writes_to_receivers = Leaf::writes_to_receivers; });
    TransportLeaves::with(design.transport.name, [&]<class Leaf>() {
        traits.joins_machines = joins_machines<Leaf>();
        traits.processes_look = processes_look<Leaf>();
        traits.helpers_are_devices = helpers_are_devices<Leaf>();
    });
    const unsigned stated = stated_capabilities(design);
    traits.one_domain = (stated & NX_ONE_ADDRESS_SPACE) != 0;
    traits.lent_until_delivered = (stated & NX_BUFFERS_ARE_LENT) != 0;
    traits.needs_shared_memory = (stated & NX_BUFFERS_MUST_BE_SHARED) != 0;
    traits.transfers_ownership = (stated & NX_BLOCKS_CHANGE_OWNER) != 0;
    traits.polls_as_usual = design.polling.name == usual_polling;
    traits.helpers = helpers_of(design);
    return traits;
}

// In one address space every buffer is shared.
unsigned capabilities_of(const Design& design)
{
    unsigned stated = stated_capabilities(design);
    if (!traits_of(design).keeps_order)
        stated |= NX_ACTIVE_MESSAGES_ONLY;
    return (stated & NX_ONE_ADDRESS_SPACE) != 0 ? stated & ~unsigned{NX_BUFFERS_MUST_BE_SHARED} : stated;
}

LeafChoice mailbox_port(const Design& design)
{
    LeafChoice port = design.port;
    PortLeaves::with(design.port.name, [&]<class Leaf>() {
        if constexpr (!keeps_order<Leaf>())
            port.name = Leaf::in_order;
    });
    return port;
}

unsigned least_processors(const Design& design, unsigned processes)
{
    return traits_of(design).spins ? processes : 1;
}

unsigned helpers_of(const Design& design)
{
    unsigned helpers = 0;
    for_each_class(design, [&]<class Leaf>() {
        if constexpr (requires { Leaf::helpers; })
            helpers += Leaf::helpers;
    });
    return helpers;
}

} // namespace parley::messaging

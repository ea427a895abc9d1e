// SPDX-License-Identifier: MIT
// Putting one message system together, step by step, for both kinds of dispatch. F names the types the system
// calls through: the abstract factors, or leaves.
#pragma once

#include "messaging/composition.hpp"
#include "messaging/job_exchange.hpp"
#include "messaging/job_messages.hpp"
#include "messaging/memory/bump_allocator.hpp"
#include "sched/synchronization/states.hpp"

namespace parley::messaging {

template <class F>
struct FactorPointers {
    typename F::Location* location = nullptr;
    typename F::Interaction* interaction = nullptr;
    typename F::Transport* transport = nullptr;
    typename F::Synchronization* synchronization = nullptr;
    typename F::Transfer* transfer = nullptr;
};

// A leaf that declares arguments is told their values after everything else. One that needs to know what it
// is made from says so by its constructor.
template <class Leaf, class... Others>
Leaf* construct_leaf(std::byte* address, const LeafValues& values, const Others&... others)
{
    if constexpr (sizeof...(Others) != 0 && !std::is_constructible_v<Leaf, Others...> &&
                  !std::is_constructible_v<Leaf, Others..., LeafValues>)
        return construct_leaf<Leaf>(address, values);
    else if constexpr (HasArguments<Leaf>)
        return new (address) Leaf(others..., values);
    else
        return new (address) Leaf(others...);
}

// Errors: no_memory.
template <class Leaf, class... Others>
Result<Leaf*> place_leaf(BumpAllocator& allocator, const LeafValues& values, const Others&... others)
{
    return construct_leaf<Leaf>(TRY(allocator.space(sizeof(Leaf), alignof(Leaf))), values, others...);
}

// Places the leaf that was chosen and returns it as its base.
template <class List, class Base, class... Arguments>
Result<Base*> place_choice(BumpAllocator& allocator, const LeafChoice& choice, const Arguments&... arguments)
{
    Result<Base*> result = std::unexpected(Error::not_found);
    List::with(choice.name, [&]<class Leaf>() {
        const auto placed = place_leaf<Leaf>(allocator, choice.values, arguments...);
        if (placed)
            result = *placed;
        else
            result = std::unexpected(placed.error());
    });
    return result;
}

// Makes a port, which may be one that takes memory of the job's budget. Errors: no_memory.
template <class Leaf>
Result<Leaf*> construct_port(std::byte* address, const LeafValues& values, const PortParts& parts)
{
    Leaf* const port = construct_leaf<Leaf>(address, values, parts);
    if constexpr (requires { port->is_made(); })
        if (!port->is_made())
            return std::unexpected(Error::no_memory);
    return port;
}

struct Heaps {
    BuddyHeap* buffers;
    Blocks* blocks;
};

// Makes a heap over all that is left, with its table in front. Errors: no_memory.
inline Result<BuddyHeap*> place_buffer_heap(BuddyHeap* address, BumpAllocator& allocator)
{
    std::byte* const table = allocator.rest();
    std::size_t arena_bytes = round_down(allocator.rest_bytes(), page_bytes);
    while (arena_bytes > 0 && arena_bytes + BuddyHeap::table_bytes(arena_bytes) > allocator.rest_bytes()) {
        const std::size_t missing =
            arena_bytes + BuddyHeap::table_bytes(arena_bytes) - allocator.rest_bytes();
        const std::size_t less = round_up(missing / 2, page_bytes);
        arena_bytes -= less < arena_bytes ? less : arena_bytes;
    }
    if (arena_bytes == 0)
        return std::unexpected(Error::no_memory);
    auto* const heap =
        new (address) BuddyHeap(table + BuddyHeap::table_bytes(arena_bytes), arena_bytes, table);
    TRY_VOID(heap->start());
    return heap;
}

// The table of blocks lies at the end of the system's memory, so that its address is known before the heap's.
inline Result<Heaps> place_heaps(BumpAllocator& allocator, const SharedRange& shared, unsigned processes)
{
    std::byte* const buffer_heap = TRY(allocator.space(sizeof(BuddyHeap), alignof(BuddyHeap)));
    std::byte* const block_heap = TRY(allocator.space(sizeof(Blocks), alignof(Blocks)));
    auto* const received = TRY(allocator.space_for<Blocks::Received>(processes));
    for (unsigned process = 0; process < processes; ++process)
        new (received + process) Blocks::Received;
    std::byte* const table = TRY(allocator.reserve_at_end(BuddyHeap::table_bytes(shared.bytes)));
    auto* const blocks =
        new (block_heap) Blocks(reinterpret_cast<std::byte*>(shared.base), shared.bytes, table,
                                *reinterpret_cast<BuddyHeap*>(buffer_heap), {received, processes});
    TRY_VOID(blocks->start());
    BuddyHeap* const buffers = TRY(place_buffer_heap(reinterpret_cast<BuddyHeap*>(buffer_heap), allocator));
    return Heaps{buffers, blocks};
}

// Makes the wait records of that many endpoints, at the start of a page: first of all in the system's memory.
// Errors: no_memory.
inline Result<std::span<WaitRecord>> place_records(BumpAllocator& allocator, unsigned count)
{
    std::byte* const memory = TRY(allocator.space(wait_records_bytes(count), page_bytes));
    auto* const records = reinterpret_cast<WaitRecord*>(memory);
    for (unsigned index = 0; index < count; ++index)
        new (records + index) WaitRecord;
    return std::span<WaitRecord>(records, count);
}

// The short ways that a design's factors leave to its processes. `room`: Port::room() of its ports.
template <class F>
Binding bind(const FactorPointers<F>& chosen, std::uint32_t room, const DesignTraits& traits)
{
    Binding binding(room);
    chosen.interaction->bind(binding);
    chosen.transport->bind(binding);
    chosen.transfer->bind(binding);
    trace::bind(binding);
    binding.limit_spin(traits.looks_first ? platform::brief_turns() : 0);
    binding.serves_programs = traits.keeps_order;
    return binding;
}

// Where a system's objects will lie, before the heaps take the rest of the memory.
template <class F>
struct Reserved {
    Directory* directory;
    Budget<typename F::Synchronization>* budget;
    Router<F>* router;
    JobExchange<F>* exchange;
    JobMessages<F>* system;
    std::byte* transfer;
    Peer<F>** peers; // by index, as what follows
    Waiter<typename F::Synchronization>** waiters;
    ComposedEndpoint<F>** endpoints; // null: the process is away
    ComposedEndpoint<F>* here;       // of those that are not away
    Peer<F>* away;
    Meetings* of_away;   // nobody who is away comes to any
    JointMeeting* joint; // room for one, if processes meet those of other machines
    ActiveMaker<F>* active;
    Peer<F>** routes; // for each group of senders, where what is sent to an endpoint is put
};

// Whether all processes put messages into their destinations' own mailboxes.
template <class T>
bool is_direct(const T& transport, const Layout& layout, unsigned endpoints)
{
    for (unsigned index = 0; index < endpoints; ++index)
        if (transport.route(0, index, layout) != index)
            return false;
    return transport.groups() == 1;
}

// Fills `routes`, for each group of senders and then by endpoint: the peer into whose mailbox they put
// what is for that endpoint. `marks`: short ways ask of that peer whether its process is reached directly.
template <class F>
void make_routes(typename F::Transport& transport, const Layout& layout, std::span<Peer<F>* const> peers,
                 Peer<F>** routes, bool marks)
{
    const auto count = static_cast<unsigned>(peers.size());
    for (unsigned index = 0; index < transport.groups() * count; ++index) {
        const unsigned route = transport.route(index / count, index % count, layout);
        routes[index] = peers[route];
        if (route != index % count && marks)
            peers[route]->waiter.status().set_routed();
    }
}

// Makes what the processes of all machines meet by. Null: they do not meet.
template <class T>
JointMeeting* make_joint_meeting(JointMeeting* address, const T& transport, const Layout& layout)
{
    if (!layout.machines_meet())
        return nullptr;
    unsigned first = 0, here = 0;
    while (first < layout.nodes && transport.is_away(first, layout))
        ++first;
    while (first + here < layout.nodes && !transport.is_away(first + here, layout))
        ++here;
    return new (address) JointMeeting(first, here);
}

// Gives each of these a polling of its own, of a kind, in its part of `room`.
template <class F>
void poll_by(std::uint64_t price, const PollingKind& kind, const LeafChoice& choice, std::byte* room,
             std::span<ComposedEndpoint<F>* const> endpoints)
{
    for (ComposedEndpoint<F>* const endpoint : endpoints) {
        endpoint->poll_by(price, kind, room, choice);
        room += round_up(kind.bytes, 64);
    }
}

// Reserves room for these objects, in which nothing is made yet. Errors: no_memory.
template <class F>
Result<Reserved<F>> reserve(BumpAllocator& allocator, unsigned endpoints, unsigned away,
                            std::size_t transfer_bytes)
{
    return Reserved<F>{
        .directory = TRY(allocator.space_for<Directory>()),
        .budget = TRY(allocator.space_for<Budget<typename F::Synchronization>>()),
        .router = TRY(allocator.space_for<Router<F>>()),
        .exchange = TRY(allocator.space_for<JobExchange<F>>()),
        .system = TRY(allocator.space_for<JobMessages<F>>()),
        .transfer = TRY(allocator.space(transfer_bytes, 64)),
        .peers = TRY(allocator.space_for<Peer<F>*>(endpoints)),
        .waiters = TRY(allocator.space_for<Waiter<typename F::Synchronization>*>(endpoints)),
        .endpoints = TRY(allocator.space_for<ComposedEndpoint<F>*>(endpoints)),
        .here = TRY(allocator.space_for<ComposedEndpoint<F>>(endpoints - away)),
        .away = TRY(allocator.space_for<Peer<F>>(away)),
        .of_away = TRY(allocator.space_for<Meetings>()),
        .joint = TRY(allocator.space_for<JointMeeting>(away != 0 ? 1 : 0)),
        .active = TRY(allocator.space_for<ActiveMaker<F>>()),
        .routes = nullptr,
    };
}

// Steps shared by all: records first, then what `choose` picks, endpoints with ports, heaps, the transfer,
// the system.
template <class F, class Choose>
Result<MessageSystem*> assemble(std::byte* memory, std::size_t bytes, const SystemOptions& options,
                                Choose choose)
{
    using PeerType = Peer<F>;
    const DesignTraits traits = traits_of(options.design);
    const Layout layout{options.nodes, options.pids, options.host};
    const unsigned processes = layout.programs();
    if (processes == 0 || options.nodes > PARLEY_MAX_NODES || options.pids > PARLEY_MAX_PIDS ||
        processes + traits.helpers > PARLEY_MAX_PROCESSES)
        return std::unexpected(Error::bad_argument);
    BumpAllocator allocator(memory, bytes);
    const std::span<WaitRecord> records = TRY(place_records(allocator, processes + traits.helpers));
    const SharedRange shared{options.blocks.base, options.blocks.bytes, traits.one_domain};
    FactorPointers<F> chosen;
    TRY_VOID(choose.basics(allocator, chosen, shared, {layout, options.setting}));
    const auto count = static_cast<unsigned>(records.size());
    unsigned away = 0;
    for (unsigned index = 0; index < count; ++index)
        away += chosen.transport->is_away(index, layout) ? 1 : 0;
    Reserved<F> reserved = TRY(reserve<F>(allocator, count, away, choose.transfer_bytes));
    reserved.routes = reserved.peers;
    if (!is_direct(*chosen.transport, layout, count))
        reserved.routes = TRY(allocator.space_for<PeerType*>(chosen.transport->groups() * count));
    const std::size_t polling_bytes = round_up(choose.polling_kind().bytes, 64);
    std::byte* const pollings =
        TRY(allocator.space(traits.processes_look ? processes * polling_bytes : 0, 64));
    // All processes that are away have one port, into which nobody puts.
    const unsigned ports = count - away + (away != 0 ? 1 : 0);
    const PortKind<typename F::Port> kind = choose.mailbox_ports();
    std::byte* const ports_memory = TRY(allocator.space(ports * kind.bytes, 128));
    const auto space = [&](std::size_t size, std::size_t alignment) {
        return allocator.space(size, alignment);
    };
    // A lock for each mailbox, and two more for Active Messages.
    const sched::States states = TRY(choose.states(space, 3 * count, count));
    std::byte* const rooms = TRY(allocator.reserve_at_end((count - away) * Requests::room_bytes));
    const Heaps heaps = TRY(place_heaps(allocator, shared, count));

    const PortParts port_parts{count, *heaps.buffers};
    std::size_t units_of_port = 0;
    // One tells for all: to count what the heap has given out takes long.
    auto make_port = [&, made = 0u]() mutable -> Result<typename F::Port*> {
        const std::size_t units = made == 0 ? heaps.buffers->used_units() : 0;
        auto* const port = TRY(kind.make(ports_memory + made * kind.bytes, kind.values, port_parts));
        if (made++ == 0)
            units_of_port = heaps.buffers->used_units() - units;
        return port;
    };
    const std::span endpoints(reserved.endpoints, count);
    const Directory& directory =
        *new (reserved.directory) Directory(options.nodes, options.pids, options.host);
    new (reserved.of_away) Meetings;
    JointMeeting* const joint =
        away == 0 ? nullptr : make_joint_meeting(reserved.joint, *chosen.transport, layout);
    new (reserved.exchange) JobExchange<F>(*reserved.router, endpoints);
    chosen.transfer = TRY(choose.transfer(
        reserved.transfer, {*chosen.location, *heaps.buffers, *heaps.blocks, *reserved.exchange}));
    new (reserved.budget)
        Budget<typename F::Synchronization>(*heaps.buffers, std::span(reserved.waiters, count));
    new (reserved.router) Router<F>(reserved.peers, *chosen.transfer, *reserved.budget);
    const Shared<F> shared_parts{*chosen.location,    *chosen.interaction, *chosen.transfer,
                                 *reserved.directory, *reserved.router,    *reserved.budget,
                                 *heaps.blocks,       reserved.active,     joint};
    typename F::Port* const port_of_away = away == 0 ? nullptr : TRY(make_port());
    std::uint32_t room = 0;
    for (unsigned index = 0, here = 0; index < count; ++index) {
        WaitRecord& record = records[index];
        if (chosen.transport->is_away(index, layout)) {
            endpoints[index] = nullptr;
            reserved.peers[index] = new (&reserved.away[index - here])
                PeerType(*port_of_away, *chosen.synchronization, record, states, index, *reserved.of_away);
            record.set_name(directory.name_of(index));
        } else {
            typename F::Port& port = *TRY(make_port());
            room = port.room();
            endpoints[index] = new (&reserved.here[here])
                ComposedEndpoint<F>(shared_parts, port, *chosen.synchronization, record, states, index,
                                    rooms + here * Requests::room_bytes);
            reserved.peers[index] = &endpoints[index]->peer();
            ++here;
        }
        reserved.waiters[index] = &reserved.peers[index]->waiter;
    }
    // Their ports take as much of the budget.
    new (reserved.active) ActiveMaker<F>(choose.active_ports(), units_of_port, port_parts, states, count);
    const Binding binding = bind<F>(chosen, room, traits);
    if (reserved.routes != reserved.peers)
        make_routes<F>(*chosen.transport, layout, std::span(reserved.peers, count), reserved.routes,
                       binding.eager_nodes != 0);
    for (unsigned index = 0; index < count; ++index)
        if (endpoints[index] != nullptr)
            endpoints[index]->bind(binding, reserved.peers,
                                   reserved.routes + chosen.transport->group_of(index, layout) * count);
    if (traits.processes_look && (binding.look != 0 || !traits.polls_as_usual))
        poll_by<F>(binding.look, choose.polling_kind(), options.design.polling, pollings,
                   endpoints.first(processes));
    return new (reserved.system) JobMessages<F>({
        .transport = *chosen.transport,
        .transfer = *chosen.transfer,
        .budget = *reserved.budget,
        .blocks = *heaps.blocks,
        .directory = *reserved.directory,
        .router = *reserved.router,
        .exchange = *reserved.exchange,
        .records = records,
        .endpoints = endpoints,
        .active = reserved.active,
        .joint = joint,
    });
}

} // namespace parley::messaging

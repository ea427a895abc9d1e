// SPDX-License-Identifier: MIT
// Putting one message system together, step by step, for both kinds of dispatch. F names the types the system
// calls through: the abstract factors, or leaves.
#pragma once

#include "messaging/basic_message_system.hpp"
#include "messaging/carver.hpp"
#include "messaging/composition.hpp"
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

struct Heaps {
    BuddyHeap* buffers;
    Blocks* blocks;
};

template <class F>
using EndpointSpan = std::span<BasicEndpoint<F>>;

// A heap over all that is left, with its table in front.
inline Result<BuddyHeap*> place_buffer_heap(BuddyHeap* place, Carver& carver)
{
    std::byte* const table = carver.rest();
    std::size_t arena_bytes = round_down(carver.rest_bytes(), page_bytes);
    while (arena_bytes > 0 && arena_bytes + BuddyHeap::table_bytes(arena_bytes) > carver.rest_bytes())
        arena_bytes -= round_up((arena_bytes + BuddyHeap::table_bytes(arena_bytes) - carver.rest_bytes()) / 2,
                                page_bytes);
    if (arena_bytes == 0)
        return std::unexpected(Error::no_memory);
    auto* const heap = new (place) BuddyHeap(table + BuddyHeap::table_bytes(arena_bytes), arena_bytes, table);
    TRY_VOID(heap->start());
    return heap;
}

// The table of blocks lies at the very end of the system's memory, so that its place is known before the
// heap's.
inline Result<Heaps> place_heaps(Carver& carver, const SharedRange& shared)
{
    std::byte* const buffer_heap = TRY(carver.space(sizeof(BuddyHeap), alignof(BuddyHeap)));
    std::byte* const block_heap = TRY(carver.space(sizeof(Blocks), alignof(Blocks)));
    std::byte* const table = TRY(carver.reserve_at_end(BuddyHeap::table_bytes(shared.bytes)));
    auto* const blocks =
        new (block_heap) Blocks(reinterpret_cast<std::byte*>(shared.base), shared.bytes, table);
    TRY_VOID(blocks->start());
    BuddyHeap* const buffers = TRY(place_buffer_heap(reinterpret_cast<BuddyHeap*>(buffer_heap), carver));
    return Heaps{buffers, blocks};
}

// Each endpoint with its record; ports come from `place_port`, which knows the leaf.
template <class F, class PlacePort>
Result<EndpointSpan<F>> place_endpoints(Carver& carver, std::span<WaitRecord> records, unsigned nodes,
                                        unsigned on_nodes, PlacePort place_port)
{
    using EndpointType = BasicEndpoint<F>;
    std::byte* const memory = TRY(carver.space(records.size() * sizeof(EndpointType), alignof(EndpointType)));
    auto* const endpoints = reinterpret_cast<EndpointType*>(memory);
    for (unsigned index = 0; index < records.size(); ++index) {
        auto* const endpoint = new (endpoints + index) EndpointType;
        endpoint->record = &records[index];
        endpoint->index = static_cast<std::uint16_t>(index);
        records[index].unexpected = &endpoint->unexpected;
        if (index < on_nodes)
            endpoint->set_name(static_cast<std::int32_t>(index % nodes),
                               static_cast<std::int32_t>(index / nodes));
        else
            endpoint->set_name(static_cast<std::int32_t>(nodes), 0);
        endpoint->port = TRY(place_port());
    }
    return EndpointSpan<F>(endpoints, records.size());
}

inline Result<std::span<WaitRecord>> place_records(Carver& carver, unsigned count)
{
    if (count > max_wait_records)
        return std::unexpected(Error::bad_argument);
    std::byte* const memory = TRY(carver.space(wait_records_bytes, page_bytes));
    auto* const records = reinterpret_cast<WaitRecord*>(memory);
    for (unsigned index = 0; index < count; ++index)
        new (records + index) WaitRecord;
    return std::span<WaitRecord>(records, count);
}

// Steps shared by all: records first, then what `choose` picks, endpoints with ports, heaps, the transfer,
// the system.
template <class F, class Choose>
Result<MessageSystem*> assemble(std::byte* memory, std::size_t bytes, const SystemOptions& options,
                                Choose choose)
{
    const DesignTraits traits = traits_of(options.design);
    const unsigned on_nodes = options.nodes * options.pids;
    const unsigned processes = on_nodes + (options.host ? 1 : 0);
    if (processes == 0 || processes > Blocks::max_readers)
        return std::unexpected(Error::bad_argument);
    Carver carver(memory, bytes);
    const std::span<WaitRecord> records = TRY(place_records(carver, processes + traits.helpers));
    const SharedRange shared{options.blocks.base, options.blocks.bytes, traits.one_domain};
    FactorPointers<F> chosen;
    TRY_VOID(choose.basics(carver, chosen, shared, processes));
    const auto endpoints = TRY(
        place_endpoints<F>(carver, records, options.nodes, on_nodes, [&] { return choose.port(carver); }));
    const auto space = [&](std::size_t size, std::size_t alignment) { return carver.space(size, alignment); };
    const auto count = static_cast<unsigned>(endpoints.size());
    const sched::States states = TRY(choose.states(space, count, count));
    for (auto& endpoint : endpoints) {
        endpoint.party = states.party(endpoint.index);
        states.equip(endpoint.lock, endpoint.index);
        endpoint.marks_waiters = traits.marks_waiters;
        endpoint.own_lock = traits.marks_waiters ? 1 : Lock::by_owner;
        endpoint.hop = &endpoints[chosen.transport->route(endpoint.index)];
    }
    std::byte* const transfer = TRY(carver.space(choose.transfer_bytes, 64));
    std::byte* const system =
        TRY(carver.space(sizeof(BasicMessageSystem<F>), alignof(BasicMessageSystem<F>)));
    const Heaps heaps = TRY(place_heaps(carver, shared));
    chosen.transfer = TRY(choose.transfer(transfer, {*chosen.location, *heaps.buffers, *heaps.blocks}));
    auto* const composed = new (system) BasicMessageSystem<F>(Parts<F>{
        .location = *chosen.location,
        .synchronization = *chosen.synchronization,
        .transfer = *chosen.transfer,
        .buffers = *heaps.buffers,
        .blocks = *heaps.blocks,
        .traits = {traits.helpers == 0, traits.lends, traits.needs_shared, traits.hands_over,
                   chosen.interaction->awaits_delivery(), traits.negotiates, traits.spins},
        .records = records,
        .endpoints = endpoints,
        .processes = processes,
        .on_nodes = on_nodes,
        .nodes = options.nodes,
    });
    for (auto& endpoint : endpoints)
        composed->admit(endpoint);
    return composed;
}

} // namespace parley::messaging

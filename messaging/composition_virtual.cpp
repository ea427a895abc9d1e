// SPDX-License-Identifier: MIT
// Virtual dispatch: the composition root. The only source that names leaves, and it knows them as lists.
#include "messaging/assembly.hpp"
#include "messaging/polling_leaves.hpp"

#include "messaging/leaves.hpp"

namespace parley::messaging {

extern template class JobMessages<Factors<>>;
extern template class ComposedEndpoint<Factors<>>;

namespace {

using Abstract = Factors<>;

std::size_t transfer_bytes_of(const Design& design)
{
    std::size_t bytes = 0;
    TransferLeaves<>::with(design.transfer.name, [&]<class Leaf>() { bytes = sizeof(Leaf); });
    return bytes;
}

Result<Port*> no_port(std::byte*, const LeafValues&, const PortParts&)
{
    return std::unexpected(Error::not_found);
}
template <class Leaf>
Result<Port*> make_port(std::byte* address, const LeafValues& values, const PortParts& parts)
{
    return TRY(construct_port<Leaf>(address, values, parts));
}

struct ChooseByName {
    const Design& design;
    const std::size_t transfer_bytes = transfer_bytes_of(design);

    Result<void> basics(BumpAllocator& allocator, FactorPointers<Abstract>& chosen, const SharedRange& shared,
                        const TransportParts& parts)
    {
        chosen.location = TRY((place_choice<LocationLeaves, Location>(allocator, design.location, shared)));
        chosen.interaction =
            TRY((place_choice<InteractionLeaves, Interaction>(allocator, design.interaction)));
        TransportParts polled = parts;
        polled.polling = TRY((place_choice<PollingLeaves, Polling>(allocator, design.polling)));
        chosen.transport =
            TRY((place_choice<TransportLeaves, Transport>(allocator, design.transport, polled)));
        chosen.synchronization =
            TRY((place_choice<SynchronizationLeaves, Synchronization>(allocator, design.synchronization)));
        return {};
    }

    template <class Space>
    Result<sched::States> states(const Space& space, unsigned locks, unsigned parties)
    {
        Result<sched::States> result = std::unexpected(Error::not_found);
        SynchronizationLeaves::with(design.synchronization.name, [&]<class Leaf>() {
            result = sched::place_states<Leaf>(space, locks, parties);
        });
        return result;
    }

    static PollingKind polling_kind() { return any_polling(); }

    PortKind<Port> mailbox_ports() const { return port_kind(mailbox_port(design)); }
    PortKind<Port> active_ports() const { return port_kind(design.port); }
    static PortKind<Port> port_kind(const LeafChoice& port)
    {
        PortKind<Port> kind{no_port, port.values, 0};
        PortLeaves::with(port.name, [&]<class Leaf>() {
            kind.make = make_port<Leaf>;
            kind.bytes = round_up(sizeof(Leaf), 128);
        });
        return kind;
    }

    Result<Transfer*> transfer(std::byte* address, const TransferParts<>& parts)
    {
        Transfer* result = nullptr;
        TransferLeaves<>::with(design.transfer.name, [&]<class Leaf>() {
            result = construct_leaf<Leaf>(address, design.transfer.values, parts);
        });
        if (result == nullptr)
            return std::unexpected(Error::not_found);
        return result;
    }
};

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return assemble<Abstract>(memory, bytes, options, ChooseByName{options.design});
}

} // namespace parley::messaging

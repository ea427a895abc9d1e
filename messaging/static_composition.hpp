// SPDX-License-Identifier: MIT
// Static dispatch: each design of a table, a row, becomes a system of its own whose calls the compiler binds.
// Included by the one source that knows the table. A row that names a class which the tree does not have,
// because the leaf's folder has been taken away, is passed over.
#pragma once

#include "messaging/assembly.hpp"
#include "messaging/polling_leaves.hpp"

#include "messaging/leaves.hpp"

#include <type_traits>
#include <utility>

namespace parley::messaging {

// The leaf of a list that has that name; void: there is none.
template <class Name>
consteval void find_leaf(LeafList<>)
{
}
template <class Name, class First, class... Rest>
consteval auto find_leaf(LeafList<First, Rest...>)
{
    if constexpr (First::name == Name::value)
        return static_cast<First*>(nullptr);
    else
        return find_leaf<Name>(LeafList<Rest...>{});
}
template <class Name, class List>
using LeafNamed = std::remove_pointer_t<decltype(find_leaf<Name>(List{}))>;

template <const auto& rows, std::size_t row, LeafChoice Design::* factor>
struct ClassName {
    static constexpr std::string_view value = (rows[row].design.*factor).name;
};
template <const auto& rows, std::size_t row, LeafChoice Design::* factor, class List>
using LeafOf = LeafNamed<ClassName<rows, row, factor>, List>;

// The port of mailboxes where that port is a design's (mailbox_port()).
template <class P>
struct MailboxPortOf {
    using Type = P;
};
template <class P>
    requires requires { P::in_order; }
struct MailboxPortOf<P> {
    struct Name {
        static constexpr std::string_view value = P::in_order;
    };
    using Type = LeafNamed<Name, PortLeaves>;
};

template <const auto& rows, std::size_t row>
struct RowFactors {
    using Location = LeafOf<rows, row, &Design::location, LocationLeaves>;
    using Interaction = LeafOf<rows, row, &Design::interaction, InteractionLeaves>;
    using ActivePort = LeafOf<rows, row, &Design::port, PortLeaves>;
    using Port = typename MailboxPortOf<ActivePort>::Type;
    using Transport = LeafOf<rows, row, &Design::transport, TransportLeaves>;
    using Synchronization = LeafOf<rows, row, &Design::synchronization, SynchronizationLeaves>;
    using Transfer = LeafOf<rows, row, &Design::transfer, TransferLeaves<Location>>;
    using Type = Factors<Location, Interaction, Port, Transport, Synchronization, Transfer, ActivePort>;
    static constexpr bool has_all =
        !(std::is_void_v<Interaction> || std::is_void_v<Port> || std::is_void_v<Transport> ||
          std::is_void_v<Synchronization> || std::is_void_v<Transfer>);
};

template <class F>
struct ChooseByType {
    static constexpr std::size_t transfer_bytes = sizeof(typename F::Transfer);

    const Design& design; // what the leaves are told

    Result<void> basics(BumpAllocator& allocator, FactorPointers<F>& chosen, const SharedRange& shared,
                        const TransportParts& parts)
    {
        chosen.location = TRY(place_leaf<typename F::Location>(allocator, design.location.values, shared));
        chosen.interaction = TRY(place_leaf<typename F::Interaction>(allocator, design.interaction.values));
        TransportParts polled = parts;
        polled.polling = TRY((place_choice<PollingLeaves, Polling>(allocator, design.polling)));
        chosen.transport = TRY(place_leaf<typename F::Transport>(allocator, design.transport.values, polled));
        chosen.synchronization =
            TRY(place_leaf<typename F::Synchronization>(allocator, design.synchronization.values));
        return {};
    }

    template <class Space>
    Result<sched::States> states(const Space& space, unsigned locks, unsigned parties)
    {
        return sched::place_states<typename F::Synchronization>(space, locks, parties);
    }

    static PollingKind polling_kind() { return any_polling(); }

    PortKind<typename F::Port> mailbox_ports() const { return port_kind<typename F::Port>(); }
    PortKind<typename F::ActivePort> active_ports() const { return port_kind<typename F::ActivePort>(); }
    template <class P>
    PortKind<P> port_kind() const
    {
        return {&construct_port<P>, design.port.values, round_up(sizeof(P), 128)};
    }

    Result<typename F::Transfer*> transfer(std::byte* address,
                                           const TransferParts<typename F::Location>& parts)
    {
        return construct_leaf<typename F::Transfer>(address, design.transfer.values, parts);
    }
};

template <const auto& rows, std::size_t... row>
Result<MessageSystem*> create_row(std::byte* memory, std::size_t bytes, const SystemOptions& options,
                                  std::index_sequence<row...>)
{
    Result<MessageSystem*> result = std::unexpected(Error::not_found);
    const auto is_row = [&]<std::size_t index>() {
        using Row = RowFactors<rows, index>;
        if constexpr (Row::has_all) {
            using F = typename Row::Type;
            if (same_classes(rows[index].design, options.design)) {
                result = assemble<F>(memory, bytes, options, ChooseByType<F>{options.design});
                return true;
            }
        }
        return false;
    };
    (void)(is_row.template operator()<row>() || ...);
    return result;
}

// The row whose classes are asked for. Errors: not_found, and those of assemble().
template <const auto& rows>
Result<MessageSystem*> create_among(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_row<rows>(memory, bytes, options, std::make_index_sequence<std::size(rows)>{});
}

} // namespace parley::messaging

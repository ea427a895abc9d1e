// SPDX-License-Identifier: MIT
// Static dispatch: each row of a table becomes a system of its own whose calls the compiler binds. Included
// by the one source that knows the table.
#pragma once

#include "messaging/assembly.hpp"
#include "messaging/rows.hpp"

#include "messaging/leaves.hpp"

#include <utility>

namespace parley::messaging {

// The leaf of a list whose name is the row's class for that factor.
template <class Name, class First, class... Rest>
consteval auto find_leaf(LeafList<First, Rest...>)
{
    if constexpr (First::name == Name::value)
        return static_cast<First*>(nullptr);
    else
        return find_leaf<Name>(LeafList<Rest...>{});
}

template <const auto& rows, std::size_t row, LeafChoice Design::* factor>
struct ClassName {
    static constexpr std::string_view value = (rows[row].design.*factor).name;
};

template <const auto& rows, std::size_t row, LeafChoice Design::* factor, class List>
using LeafOf = std::remove_pointer_t<decltype(find_leaf<ClassName<rows, row, factor>>(List{}))>;

template <const auto& rows, std::size_t row>
struct RowFactors {
    using Location = LeafOf<rows, row, &Design::location, LocationLeaves>;
    using Interaction = LeafOf<rows, row, &Design::interaction, InteractionLeaves>;
    using Port = LeafOf<rows, row, &Design::port, PortLeaves>;
    using Transport = LeafOf<rows, row, &Design::transport, TransportLeaves>;
    using Synchronization = LeafOf<rows, row, &Design::synchronization, SynchronizationLeaves>;
    using Transfer = LeafOf<rows, row, &Design::transfer, TransferLeaves<Location>>;
    using Type = Factors<Location, Interaction, Port, Transport, Synchronization, Transfer>;
};

template <class F>
struct ChooseByType {
    static constexpr std::size_t transfer_bytes = sizeof(typename F::Transfer);

    const Design& design; // what the leaves are told

    Result<void> basics(Carver& carver, FactorPointers<F>& chosen, const SharedRange& shared)
    {
        chosen.location = TRY(place_leaf<typename F::Location>(carver, design.location.values, shared));
        chosen.interaction = TRY(place_leaf<typename F::Interaction>(carver, design.interaction.values));
        chosen.transport = TRY(place_leaf<typename F::Transport>(carver, design.transport.values));
        chosen.synchronization =
            TRY(place_leaf<typename F::Synchronization>(carver, design.synchronization.values));
        return {};
    }

    template <class Space>
    Result<sched::States> states(const Space& space, unsigned locks, unsigned parties)
    {
        return sched::place_states<typename F::Synchronization>(space, locks, parties);
    }

    Result<typename F::Port*> port(Carver& carver)
    {
        return place_leaf<typename F::Port>(carver, design.port.values);
    }

    Result<typename F::Transfer*> transfer(std::byte* place, const TransferParts<typename F::Location>& parts)
    {
        return construct_leaf<typename F::Transfer>(place, design.transfer.values, parts);
    }
};

template <const auto& rows, std::size_t... row>
Result<MessageSystem*> create_row(std::byte* memory, std::size_t bytes, const SystemOptions& options,
                                  std::index_sequence<row...>)
{
    Result<MessageSystem*> result = std::unexpected(Error::not_found);
    const auto try_row = [&]<std::size_t index>() {
        using F = typename RowFactors<rows, index>::Type;
        if (same_classes(rows[index].design, options.design))
            result = assemble<F>(memory, bytes, options, ChooseByType<F>{options.design});
    };
    (try_row.template operator()<row>(), ...);
    return result;
}

// The row whose classes are asked for. Errors: not_found, and those of assemble().
template <const auto& rows>
Result<MessageSystem*> create_among(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_row<rows>(memory, bytes, options, std::make_index_sequence<std::size(rows)>{});
}

} // namespace parley::messaging

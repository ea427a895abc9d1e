// SPDX-License-Identifier: MIT
// Static dispatch: each preset of a table becomes a system of its own whose calls the compiler binds.
// Included by the one source that knows the table. A preset that names a class which the tree does not have,
// because the leaf's folder has been taken away, is passed over.
#pragma once

#include "messaging/assembly.hpp"
#include "messaging/design/presets.hpp"
#include "messaging/polling_leaves.hpp"

#include "messaging/leaves.hpp"

#include <type_traits>
#include <utility>

namespace parley::messaging {

// The leaf of a list whose name is the preset's class for that factor; void: there is none.
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

template <const auto& presets, std::size_t preset, LeafChoice Design::* factor>
struct ClassName {
    static constexpr std::string_view value = (presets[preset].design.*factor).name;
};

template <const auto& presets, std::size_t preset, LeafChoice Design::* factor, class List>
using LeafOf = std::remove_pointer_t<decltype(find_leaf<ClassName<presets, preset, factor>>(List{}))>;

template <const auto& presets, std::size_t preset>
struct RowFactors {
    using Location = LeafOf<presets, preset, &Design::location, LocationLeaves>;
    using Interaction = LeafOf<presets, preset, &Design::interaction, InteractionLeaves>;
    using Port = LeafOf<presets, preset, &Design::port, PortLeaves>;
    using Transport = LeafOf<presets, preset, &Design::transport, TransportLeaves>;
    using Synchronization = LeafOf<presets, preset, &Design::synchronization, SynchronizationLeaves>;
    using Transfer = LeafOf<presets, preset, &Design::transfer, TransferLeaves<Location>>;
    using Type = Factors<Location, Interaction, Port, Transport, Synchronization, Transfer>;
    static constexpr bool has_all =
        !(std::is_void_v<Interaction> || std::is_void_v<Port> || std::is_void_v<Transport> ||
          std::is_void_v<Synchronization> || std::is_void_v<Transfer>);
};

template <class F>
struct ChooseByType {
    static constexpr std::size_t transfer_bytes = sizeof(typename F::Transfer);
    static constexpr std::size_t port_bytes = round_up(sizeof(typename F::Port), 128);

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

    typename ActiveMaker<F>::PortKind port_kind(const LeafChoice& port)
    {
        return {&construct_port<typename F::Port>, port.values, port_bytes, 0};
    }

    Result<typename F::Transfer*> transfer(std::byte* address,
                                           const TransferParts<typename F::Location>& parts)
    {
        return construct_leaf<typename F::Transfer>(address, design.transfer.values, parts);
    }
};

template <const auto& presets, std::size_t... preset>
Result<MessageSystem*> create_row(std::byte* memory, std::size_t bytes, const SystemOptions& options,
                                  std::index_sequence<preset...>)
{
    Result<MessageSystem*> result = std::unexpected(Error::not_found);
    const auto try_preset = [&]<std::size_t index>() {
        using Row = RowFactors<presets, index>;
        if constexpr (Row::has_all) {
            using F = typename Row::Type;
            if (same_classes(presets[index].design, options.design))
                result = assemble<F>(memory, bytes, options, ChooseByType<F>{options.design});
        }
    };
    (try_preset.template operator()<preset>(), ...);
    return result;
}

// The preset whose classes are asked for. Errors: not_found, and those of assemble().
template <const auto& presets>
Result<MessageSystem*> create_among(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_row<presets>(memory, bytes, options, std::make_index_sequence<std::size(presets)>{});
}

} // namespace parley::messaging

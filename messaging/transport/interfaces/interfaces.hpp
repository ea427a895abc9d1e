// SPDX-License-Identifier: MIT
// The job's nodes are divided into several multiprocessors, as even as can be, in one message system.
// Processes of one multiprocessor meet in its memory, as under transport=buffered; what goes to another is
// given to a helper that stands for all network interfaces and the wires between them (wires.hpp). Whether a
// process is near, its sender sees by one comparison: the status of what its messages are put into. Of one
// multiprocessor all are near, and nothing comes by its interfaces; but processes look there all the same.
//
// The helper has a message's bytes moved as any delivery process does (Transfer::relay), when the message is
// given to it and not when it arrives: what is simulated is when it arrives.
#pragma once

#include "base/leaf_argument.hpp"
#include "interface/capabilities.h"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/transport.hpp"
#include "messaging/transport/interfaces/wires.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::messaging {

class InterfacesTransport final : public Transport {
public:
    static constexpr std::string_view name = "interfaces";
    static constexpr std::string_view promise =
        "nodes on multiprocessors of one machine: simulated network interfaces join these";
    static constexpr unsigned capabilities = NX_SEVERAL_MACHINES;
    static constexpr unsigned helpers = 1;
    static constexpr bool helpers_are_devices = true;
    static constexpr bool processes_look = true;
    static constexpr LeafArgument arguments[] = {
        {"multiprocessors", "into which the nodes are divided", units::number, 1, 32, 2},
        {"latency", "from the beginning of a message's way out until it can come in", units::duration, 0,
         1'000'000'000, 5'000},
        {"message", "for which each message has a wire, beside the time of its bytes", units::duration, 0,
         1'000'000'000, 1'000},
        {"rate", "bytes that a wire carries in a microsecond", units::number, 1, 100'000, 1'000},
        {"queue", "messages in an interface that wait for the wire, and as many that come from it",
         units::number, 1, 64, 8},
        {"look", "by which each call that looks for messages takes longer, for each interface of its pool",
         units::duration, 0, 1'000'000'000, 0},
        {"number", "interfaces in a pool, of which each message takes one that is free", units::number, 1, 16,
         1},
        {"pools", "of interfaces in a multiprocessor, each for processes of its own alone", units::number, 1,
         16, 1},
    };

    InterfacesTransport(const TransportParts& parts, const LeafValues& values)
        : layout_(parts.layout), multiprocessors_(static_cast<unsigned>(values[0])),
          times_{.latency = values[1], .message = values[2], .rate = values[3]}, look_(values[5]),
          numbers_{.pools = multiprocessors_ * static_cast<unsigned>(values[7]),
                   .interfaces = static_cast<unsigned>(values[6]),
                   .room = static_cast<unsigned>(values[4])}
    {
    }

    // Any of its pool's interfaces may have something for a process, so it looks into each.
    void bind(Binding& binding) const override { binding.price_looks(look_ * numbers_.interfaces); }
    unsigned groups() const override { return multiprocessors_; }
    unsigned group_of(unsigned endpoint, const Layout& layout) const override
    {
        return part_of(endpoint, layout, multiprocessors_);
    }
    // Which pool's interfaces carry what the process of an endpoint sends and is sent. The pools of one
    // multiprocessor follow each other, for parts of its part of the nodes are parts of all nodes.
    unsigned pool_of(unsigned endpoint) const { return part_of(endpoint, layout_, numbers_.pools); }
    unsigned route(unsigned group, unsigned destination, const Layout& layout) const override
    {
        const bool is_near = destination >= layout.programs() || group_of(destination, layout) == group;
        return is_near ? destination : layout.first_helper();
    }

    // Errors: no_memory, too.
    Result<void> help(Helper& helper) override
    {
        BuddyHeap& buffers = helper.parts().buffers;
        std::byte* const memory = TRY(buffers.allocate(Wires::bytes_for(numbers_)));
        Wires wires(memory, numbers_, times_);
        const auto to_of = [this](const Message& message) { return pool_of(message.destination); };
        const Result<void> carried = carry(helper, wires, to_of);
        wires.let_all_come(platform::nanoseconds(), to_of,
                           [&](Message& message) { (void)helper.put(message); });
        buffers.release(memory);
        return carried;
    }

private:
    // The host is in the first part.
    static unsigned part_of(unsigned endpoint, const Layout& layout, unsigned parts)
    {
        return endpoint < layout.on_nodes() ? layout.part_of(endpoint % layout.nodes, parts) : 0;
    }

    template <class ToOf>
    Result<void> carry(Helper& helper, Wires& wires, const ToOf& to_of)
    {
        for (;;) {
            const std::uint32_t seen = helper.sequence();
            bool has_moved = false;
            while (Message* const message = TRY(helper.next())) {
                helper.relay(*message);
                wires.accept(*message, pool_of(message->source()));
                has_moved = true;
            }
            while (Message* const message = wires.next(platform::nanoseconds(), to_of)) {
                TRY_VOID(helper.put(*message));
                has_moved = true;
            }
            if (has_moved)
                continue;
            if (!wires.is_empty() && pass_time(helper, seen, wires.due()))
                continue;
            if (wires.is_empty() && helper.all_have_ended())
                return {};
            // If this process must end, it is told so during this wait, which has no error the first time.
            // The caller then delivers what is still on its way.
            TRY_VOID(helper.wait(seen));
            if (helper.all_have_ended())
                return {};
        }
    }

    // Until it is `due` or something has come. False: this process must end.
    static bool pass_time(const Helper& helper, std::uint32_t seen, std::uint64_t due)
    {
        platform::SpinWait wait;
        while (platform::nanoseconds() < due && helper.sequence() == seen)
            if (!wait.once())
                return false;
        return true;
    }

    const Layout layout_;
    const unsigned multiprocessors_;
    const WireTimes times_;
    const std::uint64_t look_;
    const WireNumbers numbers_;
};

} // namespace parley::messaging

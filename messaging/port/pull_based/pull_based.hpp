// SPDX-License-Identifier: MIT
// The pull-based queue of Lumetta's thesis, 9.1.1: a list whose end senders swap. A message stays where its
// sender wrote it until the receiver comes for it, and one word is all that senders share.
//   put    S1 fill a node of the sender's own  S2 swap it with the list's end  S3 link it to what was the end
//   take   R1 is the first node linked to another?  R2 begin there  R3 free what was the first
// Between S2 and S3 what lies behind is not found, however long that lasts; so this relies on the contract of
// ports: no process ends within a put.
#pragma once

#include "messaging/port/sender_nodes.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class PullBasedPort final : public Port {
public:
    static constexpr std::string_view name = "pull-based";
    static constexpr std::string_view promise =
        "a list whose end senders swap, in memory of their own: one atomic operation, and no try that fails";
    static constexpr LeafArgument arguments[] = {nodes_argument};
    static constexpr LeafValues smallest = {8};

    PullBasedPort(const PortParts& parts, const LeafValues& values) : nodes_(parts, values[0]) { }

    bool is_made() const { return nodes_.is_made(); }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        const std::uint64_t index = nodes_.next_free(caller);
        if (index == SenderNodes::none) [[unlikely]] {
            (void)memory->open(envelope);
            return false;
        }
        nodes_.at(index).next.store(SenderNodes::none, std::memory_order_relaxed);
        nodes_.prepare(caller, index, envelope, memory); // S1
        // S2: acquire pairs with the release of the sender before, which had written that it is the end.
        const std::uint64_t before = end_.exchange(index, std::memory_order_acq_rel);
        nodes_.at(before).next.store(index, std::memory_order_release); // S3: pairs with R1
        nodes_.finish(caller);
        return true;
    }

    Taken take(MailboxHeld held, unsigned looks) override
    {
        for (;;) {
            const std::uint64_t index = nodes_.begin(held).next.load(std::memory_order_acquire); // R1
            if (index != SenderNodes::none)
                return nodes_.go_on(held, index); // R2, R3
            if (looks-- == 0) {
                nodes_.free(held);
                return {};
            }
            platform::between_looks();
        }
    }

private:
    SenderNodes nodes_;
    alignas(64) Atomic<std::uint64_t> end_{SenderNodes::first};
};

} // namespace parley::messaging

// SPDX-License-Identifier: MIT
// The queue of Michael and Scott with one receiver, as in Lumetta's thesis, 9.1.1: a list to whose last node
// senders link theirs by compare-and-swap. A second one moves the queue's end to it, and whoever finds the
// end behind does that for another. So nobody waits for a sender, and one may end at any step of a put.
//   put    S1 fill a node of the sender's own  S2 where is the end, and is a node linked to it already?
//          S3 if so, move the end there, and again S2  S4 link the node to it, or again S2  S5 move the end
//   take   R1 is the first node linked to another?  R2 begin there  R3 free what was the first
// Nodes are used again, so a word that names one counts how often it has been written: who has read it before
// does not take it for the same. A sender has two nodes or more, and the end is moved off one of them before
// the next one is linked; so it is off a node that is used again.
#pragma once

#include "messaging/port/sender_nodes.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class MichaelScottPort final : public Port {
public:
    static constexpr std::string_view name = "michael-scott";
    static constexpr std::string_view promise =
        "a list to which senders link their messages by compare-and-swap; nobody waits for one that is slow";
    static constexpr LeafArgument arguments[] = {nodes_argument};
    static constexpr LeafValues smallest = {8};

    MichaelScottPort(const PortParts& parts, const LeafValues& values) : nodes_(parts, values[0]) { }

    bool is_made() const { return nodes_.is_made(); }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        const std::uint64_t index = nodes_.next_free(caller);
        if (index == SenderNodes::none) [[unlikely]] {
            (void)memory->open(envelope);
            return false;
        }
        // Release: who finds this instead of what the node was linked to finds the end moved off it (last()).
        Atomic<std::uint64_t>& next = nodes_.at(index).next;
        next.store(counted(next.load(std::memory_order_relaxed), SenderNodes::none),
                   std::memory_order_release);
        nodes_.prepare(caller, index, envelope, memory); // S1
        Last found = last();                             // S2, S3
        // S4: pairs with R1.
        while (!nodes_.at(index_in(found.end))
                    .next.compare_exchange_weak(found.next, counted(found.next, index),
                                                std::memory_order_acq_rel, std::memory_order_relaxed))
            found = last();
        move_end(found.end, index); // S5
        nodes_.finish(caller);
        return true;
    }

    Taken take(MailboxHeld held, unsigned looks) override
    {
        for (;;) {
            const std::uint64_t index =
                index_in(nodes_.begin(held).next.load(std::memory_order_acquire)); // R1
            if (index != SenderNodes::none)
                return nodes_.go_on(held, index); // R2, R3
            if (looks-- == 0) {
                nodes_.free(held);
                return {};
            }
            platform::between_looks();
        }
    }

    // The count grows with each writing, so it is more when a node has been linked, however often the first
    // has been used again.
    Watched watched(MailboxHeld held) const override
    {
        const Atomic<std::uint64_t>& next = nodes_.begin(held).next;
        const std::uint64_t now = next.load(std::memory_order_relaxed);
        return {&next, index_in(now) == SenderNodes::none ? counted(now, 0) : 0};
    }

    bool leave(unsigned caller) override
    {
        const std::uint64_t index = nodes_.unsettled(caller);
        if (index == SenderNodes::none)
            return false;
        // A node that is in the list is its last, or another is linked to it, also when it has been taken.
        const bool is_in =
            index_in(last().end) == index ||
            index_in(nodes_.at(index).next.load(std::memory_order_acquire)) != SenderNodes::none;
        nodes_.settle(caller, is_in);
        return true;
    }

private:
    static constexpr unsigned count_shift = 32;

    // The word that names that index and is written after another.
    static std::uint64_t counted(std::uint64_t before, std::uint64_t index)
    {
        return ((before >> count_shift) + 1) << count_shift | index;
    }
    static std::uint64_t index_in(std::uint64_t word)
    {
        return word & ((std::uint64_t{1} << count_shift) - 1);
    }

    // The end of the list, whose node was linked to none.
    struct Last {
        std::uint64_t end, next;
    };
    Last last()
    {
        for (;;) {
            const std::uint64_t end = end_.load(std::memory_order_acquire);
            const std::uint64_t next = nodes_.at(index_in(end)).next.load(std::memory_order_acquire);
            // The node may have been freed and used again since it was the end.
            if (end_.load(std::memory_order_acquire) != end)
                continue;
            if (index_in(next) == SenderNodes::none)
                return {end, next};
            move_end(end, index_in(next));
        }
    }
    // Unless another has.
    void move_end(std::uint64_t end, std::uint64_t index)
    {
        (void)end_.compare_exchange_strong(end, counted(end, index), std::memory_order_acq_rel,
                                           std::memory_order_relaxed);
    }

    SenderNodes nodes_;
    alignas(64) Atomic<std::uint64_t> end_{SenderNodes::first};
};

} // namespace parley::messaging

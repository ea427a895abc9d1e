// SPDX-License-Identifier: MIT
// The nodes of a queue that is a list of messages. Each sender has nodes of its own, which it uses one after
// the other, again and again; so nothing is allocated for a message, and a sender is refused when all of its
// own are in use. The list begins with a node whose message has been taken: whoever takes the next message
// goes on to that one's node and frees this one.
//
// Nodes are named by indices, in which 0 is no node. A sender's uses of its nodes are numbered from 0
// on: use n is of its node n % (how many it has).
#pragma once

#include "base/atomic.hpp"
#include "base/leaf_argument.hpp"
#include "messaging/message/message.hpp"
#include "messaging/port.hpp"
#include "messaging/port_memory.hpp"

#include <bit>
#include <new>

namespace parley::messaging {

inline constexpr LeafArgument nodes_argument{
    "nodes",
    "messages of one sender in the queue; fewer if all would have more than a quarter of the job's budget",
    units::power_of_two,
    2,
    4'096,
    64};

// What crosses with a message: one line.
struct alignas(64) ListNode {
    Atomic<std::uint64_t> next{0}; // the next node, as the list writes it
    Envelope envelope;
    MessageMemory* memory = nullptr;
    std::uint64_t number = 0; // among its sender's
    // Written by whoever has gone on to this node: whose node was in front of it, and how many of that
    // sender's are free then.
    std::uint64_t sender_before = 0, free_then = 0;
};
static_assert(sizeof(ListNode) == 64, "it has a line alone");

class SenderNodes {
public:
    static constexpr std::uint64_t none = 0, first = 1; // `first`: of no sender, and a list begins with it

    SenderNodes(const PortParts& parts, std::uint64_t each)
    {
        each = affordable(parts, each);
        const Result<std::byte*> nodes = parts.allocate(parts.endpoints * each * sizeof(ListNode));
        const Result<std::byte*> senders = parts.allocate(parts.endpoints * sizeof(Sender));
        if (!nodes || !senders)
            return;
        shift_ = static_cast<unsigned>(std::countr_zero(each));
        nodes_ = reinterpret_cast<ListNode*>(*nodes);
        for (std::uint64_t index = 0; index < parts.endpoints * each; ++index)
            new (nodes_ + index) ListNode;
        senders_ = reinterpret_cast<Sender*>(*senders);
        for (unsigned index = 0; index < parts.endpoints; ++index)
            new (senders_ + index) Sender;
    }
    // False: the job's budget has no memory for it, and nobody may use it.
    bool is_made() const { return senders_ != nullptr; }

    ListNode& at(std::uint64_t index) { return index == first ? first_ : nodes_[index - 2]; }
    const ListNode& at(std::uint64_t index) const { return index == first ? first_ : nodes_[index - 2]; }

    // The index of the node that the caller uses next; none: the receiver has freed none.
    std::uint64_t next_free(unsigned caller)
    {
        Sender& sender = senders_[caller];
        const std::uint64_t number = number_in(sender.used.load(std::memory_order_relaxed));
        if (number >= sender.limit) {
            // Acquire pairs with free().
            sender.limit = sender.freed.load(std::memory_order_acquire) + (std::uint64_t{1} << shift_);
            if (number >= sender.limit)
                return none;
        }
        return index_of(caller, number);
    }
    // The caller fills the node of that index, which is free for it, and is about to put the node into the
    // list; finish() follows when it is there.
    void prepare(unsigned caller, std::uint64_t index, const Envelope& envelope, MessageMemory* memory)
    {
        Atomic<std::uint64_t>& used = senders_[caller].used;
        const std::uint64_t number = number_in(used.load(std::memory_order_relaxed));
        used.store(note(number, true), std::memory_order_relaxed);
        ListNode& node = at(index);
        node.envelope = envelope;
        node.memory = memory;
        node.number = number;
    }
    void finish(unsigned caller) { settle(caller, 1); }

    // The caller has ended. Where it was about to put a node into the list: the node's index; else none.
    // Then it is settled whether that node is in the list.
    std::uint64_t unsettled(unsigned caller) const
    {
        const std::uint64_t used = senders_[caller].used.load(std::memory_order_relaxed);
        return is_prepared(used) ? index_of(caller, number_in(used)) : none;
    }
    void settle(unsigned caller, bool is_in)
    {
        Atomic<std::uint64_t>& used = senders_[caller].used;
        const std::uint64_t number = number_in(used.load(std::memory_order_relaxed));
        used.store(note(number + (is_in ? 1 : 0), false), std::memory_order_relaxed);
    }

    // The node with which the list begins.
    ListNode& begin(MailboxHeld) { return at(begin_); }
    const ListNode& begin(MailboxHeld) const { return at(begin_); }
    // Goes on to the node of that index, to which begin() is linked, and frees what was the first. A taker
    // may end at any step: free() is then for another.
    Taken go_on(MailboxHeld held, std::uint64_t index)
    {
        ListNode& node = at(index);
        node.sender_before = begin_ == first ? 0 : (begin_ - 2) >> shift_;
        node.free_then = begin_ == first ? 0 : begin(held).number + 1;
        begin_ = index;
        free(held);
        return {node.envelope, node.memory};
    }
    // Frees the node in front of begin(), unless that has been done. Release: whoever uses it next finds it
    // read.
    void free(MailboxHeld held)
    {
        Atomic<std::uint64_t>& freed = senders_[begin(held).sender_before].freed;
        if (freed.load(std::memory_order_relaxed) != begin(held).free_then)
            freed.store(begin(held).free_then, std::memory_order_release);
    }

private:
    struct alignas(64) Sender {
        Atomic<std::uint64_t> used{0}; // note(): the number of its next node
        std::uint64_t limit = 0;       // it uses numbers below this, and then asks how many are free
        alignas(64) Atomic<std::uint64_t> freed{0}; // all its numbers below this are free; takers write it
    };

    static std::uint64_t note(std::uint64_t number, bool is_prepared)
    {
        return number << 1 | (is_prepared ? 1 : 0);
    }
    static std::uint64_t number_in(std::uint64_t note) { return note >> 1; }
    static bool is_prepared(std::uint64_t note) { return (note & 1) != 0; }

    static constexpr std::uint64_t fewest = 8; // of a sender, unless it asks for fewer

    // As many as are asked for, or as few as leave most of the budget to messages.
    static std::uint64_t affordable(const PortParts& parts, std::uint64_t each)
    {
        const std::uint64_t most = parts.memory.units() * BuddyHeap::unit_bytes / 4 / parts.endpoints /
                                   parts.endpoints / sizeof(ListNode);
        while (each > most && each > fewest)
            each /= 2;
        return each;
    }
    std::uint64_t index_of(unsigned caller, std::uint64_t number) const
    {
        return (std::uint64_t{caller} << shift_ | (number & ((std::uint64_t{1} << shift_) - 1))) + 2;
    }

    ListNode* nodes_ = nullptr;
    Sender* senders_ = nullptr;
    unsigned shift_ = 0;
    ListNode first_;
    alignas(64) std::uint64_t begin_ = first; // guarded by the mailbox's lock
};

} // namespace parley::messaging

// SPDX-License-Identifier: MIT
// A port for a test, as a composed system constructs it: of a job of some endpoints, with memory for what it
// makes on demand.
#pragma once

#include "messaging/memory/buddy_heap.hpp"
#include "messaging/port.hpp"
#include "testing/made.hpp"
#include "testing/mapped_memory.hpp"
#include "testing/selection.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace parley::testing {

// A source whose class a port knows, as under static dispatch: the port has another's bytes brought straight
// into its entry.
class KnownSource final : public messaging::Source {
public:
    KnownSource(const messaging::Source& source, std::size_t bytes) : source_(source), bytes_(bytes) { }
    Result<void> fill(std::byte* room) const override { return source_.fill(room); }
    std::size_t bytes() const { return bytes_; }

private:
    const messaging::Source& source_;
    const std::size_t bytes_;
};

// A leaf of the factor port as a value: what a test does with every port is compiled once.
struct PortLeaf {
    std::string_view name; // as users write it; none of a leaf that only a test has
    std::shared_ptr<messaging::Port> (*make)(const messaging::PortParts&);
    bool keeps_order = true; // of one sender's messages, however full it is
    // Senders claim under a lock, which who ends within a put (against the contract of ports) never leaves.
    bool claims_under_lock = false;
    // Puts a message by the port's own function for sources whose class it knows; null: it has none.
    messaging::Put (*put_known)(messaging::Port&, unsigned caller, const messaging::Envelope&,
                                const KnownSource&) = nullptr;
    bool fills_in_place = false; // put_bytes() puts so

    // Puts `bytes` of a source: by a virtual call, or as static dispatch does.
    messaging::Put put_bytes(messaging::Port& port, unsigned caller, const messaging::Envelope& envelope,
                             const messaging::Source& source, std::size_t bytes) const
    {
        return fills_in_place ? put_known(port, caller, envelope, KnownSource(source, bytes))
                              : port.put_bytes(caller, envelope, source);
    }
    // The ways in which it puts.
    std::vector<PortLeaf> ways() const
    {
        std::vector<PortLeaf> both(put_known != nullptr ? 2 : 1, *this);
        both.back().fills_in_place = put_known != nullptr;
        return both;
    }
};

template <class P>
constexpr bool is_said_to_keep_order = [] {
    if constexpr (requires { P::keeps_order; })
        return P::keeps_order;
    else
        return true;
}();

template <class P>
constexpr bool is_said_to_claim_under_lock = requires { typename P::Claim::Lock; };

template <class P>
constexpr auto put_known_in =
    [](messaging::Port& port, unsigned caller, const messaging::Envelope& envelope,
       const KnownSource& source) { return static_cast<P&>(port).put_bytes(caller, envelope, source); };

template <class P>
constexpr auto known_way_of() -> decltype(PortLeaf::put_known)
{
    if constexpr (requires { &P::template put_bytes<KnownSource>; })
        return put_known_in<P>;
    else
        return nullptr;
}

template <class P>
constexpr PortLeaf port_leaf{name_of<P>,
                             [](const messaging::PortParts& parts) {
                                 return std::shared_ptr<messaging::Port>(
                                     std::shared_ptr<P>(new P(made<P>(parts))));
                             },
                             is_said_to_keep_order<P>, is_said_to_claim_under_lock<P>, known_way_of<P>()};

class MadePort {
public:
    static constexpr unsigned endpoints = 16;
    static constexpr std::size_t usual_bytes = 64 << 10;

    // `bytes`: the job's budget.
    explicit MadePort(const PortLeaf& leaf, std::size_t bytes = usual_bytes)
        : memory_(bytes), table_(messaging::BuddyHeap::table_bytes(bytes)),
          heap_(memory_.start(), bytes, table_.start())
    {
        (void)heap_.start();
        port_ = leaf.make({endpoints, heap_});
    }
    messaging::Port* operator->() { return port_.get(); }
    messaging::Port& operator*() { return *port_; }

    messaging::BuddyHeap& heap() { return heap_; }

private:
    MappedMemory memory_, table_;
    messaging::BuddyHeap heap_;
    std::shared_ptr<messaging::Port> port_;
};

// Calls use(leaf) for every port of a list, or for the selected one, as for_each_leaf() does.
template <class Leaves>
void for_each_port(const std::function<void(const PortLeaf&)>& use)
{
    for_each_leaf<Leaves>([&]<class P>() { use(port_leaf<P>); });
}

// As for_each_port(), for each of a port's ways.
template <class Leaves>
void for_each_way_of_port(const std::function<void(const PortLeaf&)>& use)
{
    for_each_port<Leaves>([&](const PortLeaf& leaf) {
        for (const PortLeaf& way : leaf.ways())
            use(way);
    });
}

// As for_each_port(), but leaves out the ports that have no room.
template <class Leaves>
void for_each_port_with_room(const std::function<void(const PortLeaf&)>& use)
{
    for_each_port<Leaves>([&](const PortLeaf& leaf) {
        if (MadePort(leaf)->room() != 0)
            use(leaf);
    });
}

// Calls use(leaf) for every port with room that NX/2 can use, which needs a port that keeps order.
template <class Leaves>
void for_each_ordered_port_with_room(const std::function<void(const PortLeaf&)>& use)
{
    for_each_port_with_room<Leaves>([&](const PortLeaf& leaf) {
        if (leaf.keeps_order)
            use(leaf);
    });
}

// How many messages without memory a port takes that nobody looks into: of one sender.
inline unsigned places_of_a_sender(const PortLeaf& leaf)
{
    MadePort port(leaf);
    unsigned inside = 0;
    while (port->put(0, messaging::Envelope({}, 0).addressed(inside, 0, 0, 0), nullptr))
        ++inside;
    return inside;
}

} // namespace parley::testing

// SPDX-License-Identifier: MIT
// A port for a test, as a composed system constructs it: of a job of some endpoints, with memory for what it
// makes on demand.
#pragma once

#include "messaging/memory/buddy_heap.hpp"
#include "messaging/port.hpp"
#include "testing/made.hpp"
#include "testing/mapped_memory.hpp"
#include "testing/selection.hpp"

namespace parley::testing {

template <class P, std::size_t bytes = 64 << 10>
class MadePort {
public:
    static constexpr unsigned endpoints = 16;

    MadePort() { (void)heap_.start(); }
    P* operator->() { return &port_; }
    P& operator*() { return port_; }

    messaging::BuddyHeap& heap() { return heap_; }

private:
    MappedMemory memory_{bytes};
    MappedMemory table_{messaging::BuddyHeap::table_bytes(bytes)};
    messaging::BuddyHeap heap_{memory_.start(), bytes, table_.start()};
    P port_ = made<P>(messaging::PortParts{endpoints, heap_});
};

// As for_each_leaf(), of the ports that have room.
template <class Leaves, class Use>
void for_each_port_with_room(Use&& use)
{
    for_each_leaf<Leaves>([&]<class P>() {
        if (MadePort<P>()->room() != 0)
            use.template operator()<P>();
    });
}

// How many messages without memory a port takes that nobody looks into: of one sender.
template <class P>
unsigned places_of_a_sender()
{
    MadePort<P> port;
    unsigned inside = 0;
    while (port->put(0, messaging::Envelope({}, 0).addressed(inside, 0, 0, 0), nullptr))
        ++inside;
    return inside;
}

} // namespace parley::testing

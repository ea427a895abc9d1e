// SPDX-License-Identifier: MIT
// A port for a test, as a composed system constructs it: of a job of some endpoints, with memory for what it
// makes on demand.
#pragma once

#include "messaging/memory/buddy_heap.hpp"
#include "messaging/port.hpp"
#include "testing/made.hpp"
#include "testing/mapped_memory.hpp"

namespace parley::testing {

template <class P>
class MadePort {
public:
    static constexpr unsigned endpoints = 16;

    MadePort() { (void)heap_.start(); }
    P* operator->() { return &port_; }
    P& operator*() { return port_; }

    messaging::BuddyHeap& heap() { return heap_; }

private:
    static constexpr std::size_t bytes = 256 << 10;
    MappedMemory memory_{bytes};
    MappedMemory table_{messaging::BuddyHeap::table_bytes(bytes)};
    messaging::BuddyHeap heap_{memory_.start(), bytes, table_.start()};
    P port_ = made<P>(messaging::PortParts{endpoints, heap_});
};

} // namespace parley::testing

// SPDX-License-Identifier: MIT
// A ledger of what callers need to find a port's functions, of every port: the compiler records the loads and
// stores of a sender and a taker that call the port through its interface, and two modelled caches say which
// lines cross between them.
#include "testing/catch.hpp"
#include "testing/ledger/recorder.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made_port.hpp"

#include "messaging/leaves.hpp"
#include "messaging/message/message.hpp"

#include <cstdint>
#include <string>

namespace parley::testing {

namespace {

using namespace messaging;

// A message from processor 0 to processor 1, with memory of its own or, where ports have room, without.
void pass(AccessRecorder& recorder, Port& port, Message& message, unsigned number, bool with_memory)
{
    const auto envelope = Envelope({}, 0).addressed(number, 0, 0, 0);
    recorder.set(0);
    REQUIRE(port.put(0, envelope, with_memory ? &message : nullptr));
    recorder.set(1);
    const Taken taken = port.take(lone_taker, 0);
    REQUIRE(taken);
    REQUIRE(taken.envelope().type() == number);
    if (!with_memory)
        port.release(taken);
}

} // namespace

TEST_CASE("no message moves the line in which callers find what kind of port it is")
{
    for_each_port<PortLeaves>([](const PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        MadePort port(leaf);
        Message message;
        const auto address = reinterpret_cast<std::uintptr_t>(&*port);
        const std::uintptr_t first = address / Caches::line_bytes * Caches::line_bytes;
        for (const bool with_memory : {true, false}) {
            if (!with_memory && port->room() == 0)
                continue;
            constexpr unsigned messages = 1000;
            Caches caches;
            AccessRecorder recorder(caches, first, first + Caches::line_bytes);
            for (unsigned number = 0; number < 2 * messages; ++number) {
                if (number == messages)
                    caches.forget_counts(); // all that will be used is in use
                pass(recorder, *port, message, number, with_memory);
            }
            REQUIRE(recorder.seen() > 0);
            CHECK(caches.crossings().empty());
        }
    });
}

} // namespace parley::testing

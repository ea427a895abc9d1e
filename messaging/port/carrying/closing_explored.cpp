// SPDX-License-Identifier: MIT
// What is under way to a process that ends. A sender whose message does not count an event looks at the
// receiver's status once, when it has drawn its number and published its entry; so that one look may come
// before the end, and the entry be seen after it. In every order of steps nothing stays in the mailbox.
#include "messaging/port/carrying/carrying.hpp"
#include "messaging/router.hpp"
#include "sched/synchronization/semaphore.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <array>
#include <memory>

using namespace parley;
using namespace parley::messaging;

namespace {

using Sleeping = sched::SemaphoreSynchronization;

// Messages without bytes never ask a Transfer.
struct NoTransfer {
    void drop(Message&) { }
};

using Sends = Factors<Location, Interaction, CarryingPort, Transport, Sleeping, NoTransfer>;

constexpr unsigned senders = 2, receiver = 2, processes = 3;

struct Scene {
    alignas(64) std::array<std::byte, 4096> space{};
    std::size_t used = 0;
    sched::States states = *sched::place_states<Sleeping>(
        [this](std::size_t bytes, std::size_t alignment) -> Result<std::byte*> {
            used = round_up(used, alignment);
            used += bytes;
            return space.data() + used - bytes;
        },
        processes, processes);
    Sleeping synchronization;
    std::array<CarryingPort, processes> ports;
    std::array<WaitRecord, processes> records;
    Meetings meetings; // nobody comes to any
    Peer<Sends> first{ports[0], synchronization, records[0], states, 0, meetings};
    Peer<Sends> second{ports[1], synchronization, records[1], states, 1, meetings};
    Peer<Sends> to{ports[receiver], synchronization, records[receiver], states, receiver, meetings};
    std::array<Peer<Sends>*, processes> peers{&first, &second, &to};
    std::array<Waiter<Sleeping>*, processes> waiters{&first.waiter, &second.waiter, &to.waiter};
    BuddyHeap heap{nullptr, 0, nullptr}; // messages have slots, and go back there
    Budget<Sleeping> budget{heap, waiters};
    NoTransfer transfer;
    Router<Sends> router{peers.data(), transfer, budget};
    std::array<Message, senders> messages{};

    Scene()
    {
        for (std::uint16_t sender = 0; sender < senders; ++sender) {
            Message& message = messages[sender];
            peers[sender]->delivery.pool().adopt(message);
            message.write(
                Envelope({0, 0}, sender).addressed(0, 0, receiver, Envelope::home_bits(message.slot())));
        }
    }
    // As the short way of a send does.
    void send(unsigned sender)
    {
        if (!to.mailbox.put(sender, messages[sender], &messages[sender]))
            return;
        if (to.tell())
            (void)router.attend(peers[sender]->waiter.party(), to);
    }
    // As JobMessages::close() does.
    void close(unsigned looks)
    {
        to.waiter.set_state(EndpointState::ended);
        to.waiter.signal();
        router.discard_all_under_way(to.waiter.party(), to, looks);
    }
};

explorer::Play senders_to_one_that_ends(unsigned count, unsigned looks)
{
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    for (unsigned sender = 0; sender < count; ++sender)
        play.parties.push_back([scene, sender] { scene->send(sender); });
    play.parties.push_back([scene, looks] { scene->close(looks); });
    play.check = [scene, count]() -> std::string {
        if (scene->ports[receiver].is_under_way())
            return "an entry is left in the port of a process that has ended";
        for (unsigned sender = 0; sender < count; ++sender)
            if (scene->peers[sender]->delivery.pool().take() != &scene->messages[sender])
                return "a message did not come back";
        return "";
    };
    return play;
}

std::string fault(unsigned count, unsigned looks, unsigned preemptions)
{
    return explorer::explore({.preemptions = preemptions},
                             [=] { return senders_to_one_that_ends(count, looks); })
        .failure;
}

} // namespace

TEST_CASE("one look that sees what was stored before the end leaves nothing in a port in any order of steps")
{
    CHECK(fault(1, 1, 3) == "");
    CHECK(fault(2, 1, 2) == "");
    CHECK(fault(1, 0, 1) != ""); // without it, a store that is seen late leaves its message there
}

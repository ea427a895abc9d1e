// SPDX-License-Identifier: MIT
// What one part of an endpoint needs around it, in a test without threads and without leaves: the processes
// of a small job as others see them, with fake factors. The test's one process runs; when it waits, the
// others do what the test says.
#pragma once

#include "messaging/directory.hpp"
#include "messaging/memory/blocks.hpp"
#include "messaging/memory/budget.hpp"
#include "messaging/peer.hpp"
#include "messaging/router.hpp"
#include "testing/fake_factors.hpp"
#include "testing/mapped_memory.hpp"

#include <array>
#include <new>
#include <optional>

namespace parley::messaging {

// What every test of a part has around it is compiled once (fake_job.cpp).
extern template class Waiter<>;
extern template class Delivery<>;
extern template class Mailbox<>;
extern template class Budget<>;
extern template struct Peer<Factors<>>;
extern template class Router<Factors<>>;

} // namespace parley::messaging

namespace parley::testing {

// What a call answers when it fails so.
inline long answer(Error error) { return -static_cast<long>(error); }

class FakeSynchronization final : public sched::Synchronization {
public:
    std::function<void()> meanwhile;       // what others do while the process waits for an event
    std::function<void()> holder = [] { }; // what the holder of a lock does while another wants it
    bool kills = false;                    // whoever waits must end
    unsigned waits = 0;                    // for events
    unsigned contended = 0;                // locks that others held, and then left

    Result<void> contend(sched::Lock& lock, sched::Party& party) override;
    void hand_on(sched::Lock& lock, sched::Party& party) override;
    Result<void> wait(sched::Event& event, std::uint32_t seen) override;
    void wake(sched::Event& event) override;
};

class FakeJob {
public:
    using Factors = messaging::Factors<>;
    using Peer = messaging::Peer<Factors>;
    static constexpr unsigned nodes = 3;

    explicit FakeJob(bool marks_waiters = false, std::size_t bytes = 1 << 20);
    ~FakeJob();

    // Another end of the process with that index, which a test has made.
    void join(Peer& peer);
    Peer& peer(unsigned index) { return *peers[index]; }
    // A sender's messages differ in type; each is spare memory of its pool, or else comes from the heap.
    messaging::Message& message(unsigned from, std::uint32_t type, std::string_view bytes = "");
    // Another process sends, as its short way does it.
    void put(unsigned to, messaging::Message& message);
    messaging::Message& send(unsigned from, unsigned to, std::uint32_t type, std::string_view bytes = "");
    // An irecv of the process with that index.
    void post(unsigned index, messaging::Receive& receive, std::int32_t type, std::uint32_t maximum = 100);
    // All ports' entries have room for that many bytes.
    void give_room(std::uint32_t bytes);
    // Whether the message's memory lies in its sender's pool again.
    bool has_come_back(const messaging::Message& message);
    // The oldest message in a process's port, which has memory.
    messaging::Message& message_in_port(unsigned index);
    // The types of the messages in a process's port, or that are unexpected there.
    std::vector<std::uint32_t> in_port(unsigned index) const;
    std::vector<std::uint32_t> unexpected(unsigned index) const;
    // How often the process was signalled since this was asked last.
    unsigned signals(unsigned index);
    // All of the job's budget is in use from now on, until some of it is released.
    std::byte* use_up_budget();

private:
    static constexpr std::size_t most_bytes = 1 << 20;
    static constexpr std::size_t shared_bytes = 256 << 10;

    MappedMemory memory_;
    MappedMemory table_{messaging::BuddyHeap::table_bytes(most_bytes)};
    MappedMemory shared_{shared_bytes};
    MappedMemory shared_table_{messaging::BuddyHeap::table_bytes(shared_bytes)};
    sched::States states_;
    std::array<messaging::Waiter<>*, nodes> waiters_{};
    std::array<std::uint32_t, nodes> seen_{};

public:
    messaging::BuddyHeap heap;
    messaging::Blocks::Received received[nodes];
    messaging::Blocks blocks{shared_.start(), shared_bytes, shared_table_.start(), heap, received};
    FakeSynchronization synchronization;
    FakeTransfer transfer;
    FakeProtocol protocol;
    FakeLocation location;
    FakeInteraction interaction;
    messaging::Directory directory{nodes, 1, false};
    messaging::Budget<> budget{heap, waiters_};
    std::array<FakePort, nodes> ports;
    std::array<messaging::WaitRecord, nodes> records;
    std::array<Peer*, nodes> peers{};
    messaging::Router<Factors> router{peers.data(), transfer, budget};

private:
    messaging::Meetings meetings_[nodes];
    std::array<std::optional<Peer>, nodes> made_;
};

} // namespace parley::testing

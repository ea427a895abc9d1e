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

namespace parley::testing {

class FakeSynchronization final : public sched::Synchronization {
public:
    std::function<void()> meanwhile;       // what others do while the process waits for an event
    std::function<void()> holder = [] { }; // what the holder of a lock does while another wants it
    bool kills = false;                    // whoever waits must end
    unsigned waits = 0;                    // for events
    unsigned contended = 0;                // locks that others held, and then left

    Result<void> contend(sched::Lock& lock, sched::Party&) override
    {
        holder();
        if (kills)
            return std::unexpected(Error::killed);
        ++contended;
        lock.word.store(1);
        return {};
    }
    void hand_on(sched::Lock& lock, sched::Party&) override { lock.set_free(); }
    Result<void> wait(sched::Event&, std::uint32_t) override
    {
        if (kills)
            return std::unexpected(Error::killed);
        if (!meanwhile || ++waits > 10)
            FAIL("the process waits, and nobody does what it waits for");
        meanwhile();
        return {};
    }
    void wake(sched::Event&) override { }
};

class FakeJob {
public:
    using Factors = messaging::Factors<>;
    using Peer = messaging::Peer<Factors>;
    static constexpr unsigned nodes = 3;

    explicit FakeJob(bool marks_waiters = false, std::size_t bytes = 1 << 20)
        : memory_(bytes), states_{.marks_waiters = marks_waiters},
          heap(memory_.start(), bytes, table_.start())
    {
        REQUIRE(heap.start());
        REQUIRE(blocks.start());
        for (unsigned index = 0; index < nodes; ++index) {
            made_[index].emplace(ports[index], synchronization, records[index], states_, index);
            records[index].node = static_cast<std::int32_t>(index);
            join(*made_[index]);
        }
    }

    // Another end of the process with that index, which a test has made.
    void join(Peer& peer)
    {
        peers[peer.index()] = &peer;
        waiters_[peer.index()] = &peer.waiter;
    }
    Peer& peer(unsigned index) { return *peers[index]; }
    // A sender's messages differ in type; each is spare memory of its pool, or else comes from the heap.
    messaging::Message& message(unsigned from, std::uint32_t type, std::string_view bytes = "")
    {
        messaging::MessageMemory* memory = peer(from).delivery.pool().take();
        if (memory == nullptr) {
            auto* const fresh = new (*heap.allocate(sizeof(messaging::Message))) messaging::Message;
            peer(from).delivery.pool().adopt(*fresh);
            memory = fresh;
        }
        const messaging::Envelope header({static_cast<std::int32_t>(from), 0},
                                         static_cast<std::uint16_t>(from));
        messaging::Message& message =
            memory->open(header.addressed(type, static_cast<std::uint32_t>(bytes.size()), 0,
                                          messaging::Envelope::home_bits(memory->place())));
        message.data = message.space;
        std::memcpy(message.space, bytes.data(), bytes.size());
        return message;
    }
    // Another process sends, as its short way does it.
    void put(unsigned to, messaging::Message& message)
    {
        REQUIRE(peer(to).mailbox.put(message.source(), message, &message));
        peer(to).waiter.announce();
    }
    messaging::Message& send(unsigned from, unsigned to, std::uint32_t type, std::string_view bytes = "")
    {
        messaging::Message& sent = message(from, type, bytes);
        put(to, sent);
        return sent;
    }
    // Whether the message's memory lies in its sender's pool again.
    bool has_come_back(const messaging::Message& message)
    {
        return peer(message.source()).delivery.pool().has_returned(message.place());
    }
    // The types of the messages in a process's port, or that are unexpected there.
    std::vector<std::uint32_t> in_port(unsigned index) const
    {
        std::vector<std::uint32_t> types;
        for (const FakePort::Entry& entry : ports[index].entries())
            types.push_back(entry.envelope.type());
        return types;
    }
    std::vector<std::uint32_t> unexpected(unsigned index) const
    {
        std::vector<std::uint32_t> types;
        for (const auto* at = records[index].unexpected->first(); at != nullptr; at = at->next)
            types.push_back(at->type());
        return types;
    }
    // How often the process was signalled since this was asked last.
    unsigned signals(unsigned index)
    {
        const std::uint32_t before = std::exchange(seen_[index], peer(index).waiter.sequence());
        return seen_[index] - before;
    }
    // All of the job's budget is in use from now on, until some of it is released.
    std::byte* use_up_budget()
    {
        std::byte* last = nullptr;
        for (auto block = heap.allocate(sizeof(messaging::Message)); block;
             block = heap.allocate(sizeof(messaging::Message)))
            last = *block;
        return last;
    }

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
    messaging::Blocks blocks{shared_.start(), shared_bytes, shared_table_.start(), heap, nodes};
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
    std::array<std::optional<Peer>, nodes> made_;
};

} // namespace parley::testing

// SPDX-License-Identifier: MIT
#include "testing/fake_job.hpp"

#include <utility>

namespace parley::messaging {

template class Waiter<>;
template class Delivery<>;
template class Mailbox<>;
template class Budget<>;
template struct Peer<Factors<>>;
template class Router<Factors<>>;

} // namespace parley::messaging

namespace parley::testing {

Result<void> FakeSynchronization::contend(sched::Lock& lock, sched::Party&)
{
    holder();
    if (kills)
        return std::unexpected(Error::killed);
    ++contended;
    lock.word.store(1);
    return {};
}
void FakeSynchronization::hand_on(sched::Lock& lock, sched::Party&) { lock.set_free(); }
Result<void> FakeSynchronization::wait(sched::Event&, std::uint32_t)
{
    if (kills)
        return std::unexpected(Error::killed);
    if (!meanwhile || ++waits > 10)
        FAIL("the process waits, and nobody does what it waits for");
    meanwhile();
    return {};
}
void FakeSynchronization::wake(sched::Event&) { }

FakeJob::FakeJob(bool marks_waiters, std::size_t bytes)
    : memory_(bytes), states_{.marks_waiters = marks_waiters}, heap(memory_.start(), bytes, table_.start())
{
    REQUIRE(heap.start());
    REQUIRE(blocks.start());
    for (unsigned index = 0; index < nodes; ++index) {
        made_[index].emplace(ports[index], synchronization, records[index], states_, index, meetings_[index]);
        records[index].node = static_cast<std::int32_t>(index);
        join(*made_[index]);
    }
}

FakeJob::~FakeJob() = default;

void FakeJob::join(Peer& peer)
{
    peers[peer.index()] = &peer;
    waiters_[peer.index()] = &peer.waiter;
}

messaging::Message& FakeJob::message(unsigned from, std::uint32_t type, std::string_view bytes)
{
    messaging::MessageMemory* memory = peer(from).delivery.pool().take();
    if (memory == nullptr) {
        auto* const fresh = new (*heap.allocate(sizeof(messaging::Message))) messaging::Message;
        peer(from).delivery.pool().adopt(*fresh);
        memory = fresh;
    }
    const messaging::Envelope header({static_cast<std::int32_t>(from), 0}, static_cast<std::uint16_t>(from));
    messaging::Message& message = memory->open(header.addressed(
        type, static_cast<std::uint32_t>(bytes.size()), 0, messaging::Envelope::home_bits(memory->slot())));
    message.data = message.space;
    std::memcpy(message.space, bytes.data(), bytes.size());
    return message;
}

void FakeJob::put(unsigned to, messaging::Message& message)
{
    REQUIRE(peer(to).mailbox.put(message.source(), message, &message));
    peer(to).waiter.announce();
}

messaging::Message& FakeJob::send(unsigned from, unsigned to, std::uint32_t type, std::string_view bytes)
{
    messaging::Message& sent = message(from, type, bytes);
    put(to, sent);
    return sent;
}

void FakeJob::post(unsigned index, messaging::Receive& receive, std::int32_t type, std::uint32_t maximum)
{
    receive.selector.types = type;
    receive.maximum = maximum;
    REQUIRE(peer(index).mailbox.post(receive));
}

void FakeJob::give_room(std::uint32_t bytes)
{
    for (FakePort& port : ports)
        port.bytes_in_entry = bytes;
}

messaging::Message& FakeJob::message_in_port(unsigned index)
{
    return static_cast<messaging::Message&>(*ports[index].entries().front().memory);
}

bool FakeJob::has_come_back(const messaging::Message& message)
{
    return peer(message.source()).delivery.pool().has_returned(message.slot());
}

std::vector<std::uint32_t> FakeJob::in_port(unsigned index) const
{
    std::vector<std::uint32_t> types;
    for (const FakePort::Entry& entry : ports[index].entries())
        types.push_back(entry.envelope.type());
    return types;
}

std::vector<std::uint32_t> FakeJob::unexpected(unsigned index) const
{
    std::vector<std::uint32_t> types;
    for (const auto* at = records[index].unexpected->first(); at != nullptr; at = at->next)
        types.push_back(at->type());
    return types;
}

unsigned FakeJob::signals(unsigned index)
{
    const std::uint32_t before = std::exchange(seen_[index], peer(index).waiter.sequence());
    return seen_[index] - before;
}

std::byte* FakeJob::use_up_budget()
{
    std::byte* last = nullptr;
    for (auto block = heap.allocate(sizeof(messaging::Message)); block;
         block = heap.allocate(sizeof(messaging::Message)))
        last = *block;
    return last;
}

} // namespace parley::testing

// SPDX-License-Identifier: MIT
// transfer=adaptive where it differs from copying twice: lengths at its limits, both sides in the middle of
// one message, and what happens to it when a receive is taken back or a process ends there.
#include "arch/hosted/hosted.hpp"
#include "messaging/behaviours/test_messages.hpp"
#include "messaging/location/kernel.hpp"
#include "messaging/receive.hpp"
#include "messaging/transfer/adaptive/adaptive.hpp"
#include "testing/catch.hpp"
#include "testing/hosted_job.hpp"
#include "testing/lone_taker.hpp"
#include "testing/mapped_memory.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace parley;
using namespace parley::messaging;
using behaviours::TestProcess;
using Adaptive = AdaptiveTransfer<>;

namespace {

constexpr std::size_t arena_bytes = 4 << 20;
constexpr std::uint64_t piece = adaptive::Pipeline<Location>::piece_bytes;
constexpr std::uint64_t length = 3 * piece + 17;
constexpr WaitDetails in_send{WaitReason::delivery, 0, 0, -1};

// The core as one sender sees it: at each signal something else may happen, as if by the other side.
class SteppedExchange final : public Exchange {
public:
    std::function<void(unsigned signals)> at_signal = [](unsigned) { };
    unsigned signals = 0;
    unsigned notified = 0;
    unsigned completed = 0;

    EndpointState state_of(unsigned) const override { return EndpointState::live; }
    void signal(unsigned) override { at_signal(++signals); }
    void notify(unsigned) override { ++notified; }
    bool lock(unsigned, unsigned) override { return true; }
    void unlock(unsigned, unsigned) override { }
    void lock_always(unsigned, unsigned) override { }
    void end(unsigned, Receive&, const Result<void>&) override { }
    void match(unsigned, Receive&) override { }
    Result<void> await_arrival(unsigned, const Message&, const WaitDetails&, Condition) override
    {
        return {};
    }
    bool take_back(unsigned, Message&) override { return false; }
    Result<void> await(unsigned, const WaitDetails&, Condition) override { return {}; }
    Result<void> await_budget(unsigned, const WaitDetails&, Condition) override { return {}; }
    void complete(Message&) override { ++completed; }
};

// One long message from `from` to `to`, put but not yet brought.
struct Halfway {
    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    testing::MappedMemory shared{arena_bytes};
    testing::MappedMemory shared_table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    Blocks::Received received[2];
    Blocks blocks{shared.start(), arena_bytes, shared_table.start(), buffers, received};
    KernelLocation kernel{SharedRange{shared.address(), arena_bytes}};
    Location& location = kernel;
    SteppedExchange exchange;
    Adaptive transfer{TransferParts<>{location, buffers, blocks, exchange}, {100, 8192}};
    testing::MappedMemory from{1 << 16};
    testing::MappedMemory to{1 << 16};
    Message message{};
    Receive receive;

    Halfway()
    {
        REQUIRE(buffers.start());
        REQUIRE(blocks.start());
        for (std::uint64_t at = 0; at < length; ++at)
            from.start()[at] = static_cast<std::byte>(1 + at % 251);
        message.write(Envelope().addressed(0, static_cast<std::uint32_t>(length), 0, 0));
        REQUIRE(transfer.offer(message, offer()) == Custody::followed);
        REQUIRE(message.protocol() != nullptr);
        match();
    }
    ~Halfway() { CHECK(buffers.used_units() == 0); }

    Offer offer() const { return {.sender = 0, .buffer = {from.address()}, .copies = 1}; }
    void match()
    {
        const InAMailbox known(testing::lone_taker);
        CHECK(message.protocol()->matched(message, receive) == Protocol::Step::engaged);
    }
    Result<void> bring() { return message.protocol()->bring(message, offer(), in_send); }
    Result<UserAddress> accept() { return transfer.accept(message, 1, {to.address()}); }
    bool would_block()
    {
        const auto accepted = accept();
        return !accepted && accepted.error() == Error::would_block;
    }
    bool has_arrived(std::uint64_t bytes) const { return std::memcmp(to.start(), from.start(), bytes) == 0; }
};

// Runs a program on two nodes under the designs that treat such a message differently.
template <class Program>
void try_variants(std::size_t system_bytes, Program program)
{
    for (const std::string_view text :
         {"exp6,transfer=adaptive", "exp4,transfer=adaptive",
          "exp6,transfer=adaptive,synchronization=semaphore",
          "exp6,transfer=adaptive,transport=process,synchronization=semaphore",
          "exp6,transfer=adaptive,synchronous", "exp6,transfer=adaptive,location=user",
          "exp6,transfer=adaptive,location=user,context-switch=light"}) {
        INFO(std::string(text));
        Design design;
        REQUIRE(parse_design(text, design).empty());
        testing::HostedJob job(
            {.design = design, .nodes = 2, .system_bytes = system_bytes, .shared_bytes = 32 << 20});
        CHECK(job.run([&](TestProcess& peer) { program(job, peer); }) == "");
    }
}

} // namespace

TEST_CASE("adaptive: the length decides the way")
{
    Halfway around;
    const auto way = [&](std::uint64_t bytes) {
        Message message{};
        message.write(Envelope().addressed(0, static_cast<std::uint32_t>(bytes), 0, 0));
        const auto custody = around.transfer.offer(message, around.offer());
        REQUIRE(custody);
        const bool is_inside = message.data_is_inside();
        around.transfer.drop(message);
        return *custody == Custody::followed ? "pieces" : is_inside ? "inline" : "twice";
    };
    CHECK(std::string(way(Message::short_bytes)) == "inline");
    CHECK(std::string(way(Message::short_bytes + 1)) == "twice");
    CHECK(std::string(way(8192)) == "twice");
    CHECK(std::string(way(8193)) == "pieces");
    around.transfer.drop(around.message);
}

TEST_CASE("adaptive: the receiver has a message's first bytes while its sender still copies")
{
    Halfway around;
    CHECK(around.would_block());
    std::vector<bool> arrived;
    around.exchange.at_signal = [&](unsigned signals) {
        if (signals * piece > length)
            return;
        arrived.push_back(around.would_block() && around.has_arrived(signals * piece) &&
                          around.to.start()[signals * piece] == std::byte{});
    };
    REQUIRE(around.bring());
    CHECK(arrived == std::vector<bool>{true, true, true});
    CHECK(around.accept());
    CHECK(around.has_arrived(length));
    CHECK(around.exchange.notified == 1);
    CHECK(around.exchange.completed == 0);
}

TEST_CASE("adaptive: a receive that follows one taken back in the middle gets every byte")
{
    Halfway around;
    around.exchange.at_signal = [&](unsigned signals) {
        if (signals != 2)
            return;
        CHECK(around.would_block());
        std::memset(around.to.start(), 0, length);
        around.match();
    };
    REQUIRE(around.bring());
    CHECK(around.accept());
    CHECK(around.has_arrived(length));
}

TEST_CASE("adaptive: a message refused in the middle is completed by its sender, one refused later is not")
{
    Halfway early;
    early.exchange.at_signal = [&](unsigned signals) {
        if (signals == 1)
            CHECK(early.message.protocol()->refused(early.message));
    };
    CHECK(early.bring());
    CHECK(early.exchange.completed == 1);
    CHECK(early.exchange.signals == 1);
    CHECK(early.buffers.used_units() == 0);

    Halfway late;
    CHECK(late.bring());
    CHECK(!late.message.protocol()->refused(late.message));
    CHECK(late.exchange.completed == 0);
    late.transfer.drop(late.message);
}

TEST_CASE("adaptive: a sender whose buffer turns bad tells both sides")
{
    Halfway around;
    around.exchange.at_signal = [&](unsigned signals) {
        if (signals == 1)
            hosted::forbid(around.from.start() + piece, length - piece);
    };
    const auto brought = around.bring();
    hosted::forbid(nullptr, 0);
    REQUIRE(!brought);
    CHECK(brought.error() == Error::bad_buffer);
    const auto accepted = around.accept();
    REQUIRE(!accepted);
    CHECK(accepted.error() == Error::closed);
}

TEST_CASE("adaptive: a sender that is gone in the middle leaves a message that fails")
{
    Halfway around;
    CHECK(around.would_block());
    around.message.protocol()->abandoned_by_sender(around.message, 0);
    const auto accepted = around.accept();
    REQUIRE(!accepted);
    CHECK(accepted.error() == Error::closed);

    Halfway unwanted;
    CHECK(unwanted.message.protocol()->refused(unwanted.message)); // its sender completes it
    unwanted.message.protocol()->abandoned_by_sender(unwanted.message, 0);
    CHECK(unwanted.buffers.used_units() == 0);
    CHECK(unwanted.exchange.completed == 1);
}

TEST_CASE("adaptive: a receiver whose buffer is bad hears of it when the sender is out of the message")
{
    Halfway around;
    around.exchange.at_signal = [&](unsigned signals) {
        if (signals != 1)
            return;
        hosted::forbid(around.to.start(), length);
        CHECK(around.would_block());
        hosted::forbid(nullptr, 0);
    };
    REQUIRE(around.bring());
    const auto accepted = around.accept();
    REQUIRE(!accepted);
    CHECK(accepted.error() == Error::bad_buffer);
}

TEST_CASE(
    "adaptive: a message that the budget has no room for waits, one that no budget could hold is refused")
{
    Halfway around;
    Message large{};
    large.write(Envelope().addressed(0, arena_bytes + 1, 0, 0));
    CHECK(around.transfer.offer(large, around.offer()).error() == Error::over_budget);
    const auto all_but_one = around.buffers.allocate(arena_bytes / 2);
    REQUIRE(all_but_one);
    large.write(Envelope().addressed(0, arena_bytes / 2, 0, 0));
    testing::MappedMemory from{arena_bytes / 2};
    CHECK(around.transfer.offer(large, {.sender = 0, .buffer = {from.address()}, .copies = 1}).error() ==
          Error::no_memory);
    around.buffers.release(*all_but_one);
    around.transfer.drop(around.message);
}

TEST_CASE("adaptive: order and contents hold at and around the limits, in every location and context switch")
{
    try_variants(64 << 20, [](testing::HostedJob&, TestProcess& peer) {
        constexpr long lengths[] = {99, 100, 101, 8191, 8192, 8193, 16384, 16385, 32768, 300'000, 1 << 20};
        for (const long bytes : lengths)
            for (int turn = 0; turn < 3; ++turn)
                if (peer.node() == 0)
                    behaviours::send_test_message(peer, 1, bytes, 1);
                else
                    peer.expect(behaviours::take_test_message(peer, -1, bytes).length == bytes,
                                "they come in order");
    });
}

TEST_CASE("adaptive: senders wait for a budget that holds one message at a time")
{
    try_variants(7 << 20, [](testing::HostedJob&, TestProcess& peer) {
        for (int turn = 0; turn < 20; ++turn)
            if (peer.node() == 0)
                behaviours::send_test_message(peer, 1, 1 << 20, 1);
            else
                behaviours::take_test_message(peer, 1, 1 << 20);
    });
}

TEST_CASE("adaptive: receives that are cancelled while bytes come lose no message")
{
    try_variants(64 << 20, [](testing::HostedJob&, TestProcess& peer) {
        constexpr int count = 100;
        constexpr long bytes = 60'000;
        if (peer.node() == 0) {
            for (int turn = 0; turn < count; ++turn)
                behaviours::wait_for(peer, behaviours::start_test_message(peer, turn, bytes, 1));
            behaviours::wait_for(peer, behaviours::start_test_message(peer, count, 8, 1));
            return;
        }
        auto* const buffer = static_cast<char*>(peer.allocate(bytes));
        int received = 0;
        for (int turn = 0; turn < count; ++turn) {
            const long id = peer.start_receive(turn, buffer, bytes).value;
            for (int pause = 0; pause < turn % 7; ++pause)
                std::this_thread::yield();
            if (peer.done(id).value == 1) {
                peer.expect(behaviours::holds_pattern(buffer, turn, bytes), "what has come is right");
                ++received;
            } else {
                peer.cancel(id);
            }
        }
        behaviours::take_test_message(peer, count, 8);
        while (peer.probe(-1, false).value == 1) {
            behaviours::take_test_message(peer, -1, bytes);
            ++received;
        }
        peer.expect(received <= count, "no message comes twice");
    });
}

TEST_CASE("adaptive: whoever is killed while long messages pass, nothing is left")
{
    for (const unsigned victim : {0u, 1u})
        for (int delay = 0; delay < 4; ++delay)
            try_variants(7 << 20, [&](testing::HostedJob& job, TestProcess& peer) {
                constexpr long bytes = 1 << 20;
                auto* const buffer = static_cast<char*>(peer.allocate(bytes));
                // Both run before one is killed, which may be before its csend has returned.
                if (peer.node() == 0) {
                    (void)peer.send(2, buffer, 8, 1);
                    (void)peer.receive(3, buffer, 8);
                } else {
                    (void)peer.receive(2, buffer, 8);
                    (void)peer.send(3, buffer, 8, 0);
                }
                std::jthread killer;
                if (peer.node() != static_cast<int>(victim))
                    killer = std::jthread([&, victim] {
                        std::this_thread::sleep_for(std::chrono::microseconds(100 + 300 * delay));
                        job.kill(victim);
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        job.kill(1 - victim);
                    });
                for (int turn = 0; turn < 10'000; ++turn) {
                    const auto answer =
                        peer.node() == 0 ? peer.send(1, buffer, bytes, 1) : peer.receive(1, buffer, bytes);
                    if (!answer.good())
                        break;
                }
            });
}

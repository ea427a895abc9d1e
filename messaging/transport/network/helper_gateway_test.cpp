// SPDX-License-Identifier: MIT
// What a helper does for a network: messages of other machines come in and go out, and those who wait for
// memory hear of what is free. On a machine by itself it waits until all processes have ended.
#include "messaging/completion.hpp"
#include "messaging/transport/network/network.hpp"
#include "testing/fake_factors.hpp"
#include "testing/lone_exchange.hpp"
#include "testing/mapped_memory.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <array>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr Layout layout{.nodes = 4, .pids = 1, .host = false};
constexpr unsigned own = 4;
constexpr std::size_t arena_bytes = 1 << 16;

struct EachTime final : Polling {
    std::uint64_t choose_period(std::uint64_t, unsigned) override { return 1; }
} each_time;

struct FakeHelper final : Helper {
    FakeHelper() { REQUIRE(buffers.start()); }

    unsigned number() const override { return 0; }
    Result<Message*> next() override { return nullptr; }
    void relay(Message&) override { }
    Result<void> put(Message& message) override
    {
        puts.push_back(&message);
        return {};
    }
    void wake(unsigned) override { }
    std::uint32_t sequence() const override { return now; }
    Result<void> wait(std::uint32_t seen) override
    {
        waits_too_long = seen == now; // nobody signals again
        return {};
    }
    // The last process ends just after the first look, and signals.
    bool all_have_ended() const override
    {
        if (looks++ > 0)
            return true;
        ++now;
        return false;
    }
    void freed() override { ++told; }
    void want_budget(bool wants) override { wishes.push_back(wants); }
    const HelperParts& parts() override { return parts_; }
    MachineMeetings* meetings() override { return nullptr; }
    Equipment* equipment() override { return nullptr; }

    testing::FakeTransfer transfer;
    testing::LoneExchange exchange;
    testing::MappedMemory memory{arena_bytes}, table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    MessagePool pool;
    WaitRecord record;
    HelperParts parts_{transfer, exchange, buffers, pool, record};
    std::vector<Message*> puts;
    std::vector<bool> wishes;
    unsigned told = 0;
    mutable unsigned looks = 0;
    mutable std::uint32_t now = 0;
    bool waits_too_long = false;
};

// From process 0 of node 2.
Envelope from_afar(std::uint32_t length) { return Envelope({2, 0}, 2).addressed(7, length, 0, 0); }

} // namespace

TEST_CASE("a message of another machine is put in its sender's name, comes back to the helper and is counted")
{
    FakeHelper helper;
    HelperGateway gateway(helper, layout, each_time);
    Completion delivered;
    const std::array<std::byte, 8> bytes{};
    REQUIRE(gateway.put(from_afar(bytes.size()), 0, 3, bytes.data(), &delivered));
    REQUIRE(helper.puts.size() == 1);
    const Message& message = *helper.puts.front();
    CHECK(message.node() == 2);
    CHECK(message.type() == 7);
    CHECK(message.source() == own);
    CHECK(message.destination == 3);
    CHECK(message.completion() == &delivered);
    CHECK_FALSE(delivered.is_reached());
    delivered.count();
    CHECK(delivered.is_reached());
}

TEST_CASE("a message whose bytes cannot be brought in leaves nothing behind but spare memory")
{
    FakeHelper helper;
    HelperGateway gateway(helper, layout, each_time);
    Completion delivered;
    const std::array<std::byte, 8> bytes{};
    helper.transfer.offer_error = [] { return Error::no_memory; };
    CHECK(gateway.put(from_afar(bytes.size()), 0, 3, bytes.data(), &delivered).error() == Error::no_memory);
    CHECK(helper.puts.empty());
    CHECK(delivered.is_reached());
    const std::size_t used = helper.buffers.used_units();
    helper.transfer.offer_error = [] { return std::nullopt; };
    CHECK(gateway.put(from_afar(bytes.size()), 0, 3, bytes.data(), nullptr));
    CHECK(helper.buffers.used_units() == used);
}

TEST_CASE("a helper tells of what it has freed")
{
    FakeHelper helper;
    HelperGateway gateway(helper, layout, each_time);
    gateway.free(**gateway.new_completion());
    CHECK(helper.told == 1);
    std::array<std::byte, 8> sent{}, buffer{};
    Message message{};
    message.data = sent.data();
    CHECK(gateway.take(message, buffer.data()));
    CHECK(helper.told == 2);
    gateway.pass_over(message);
    CHECK(helper.told == 3);
}

TEST_CASE("messages are alike that have one envelope and the same bytes, which the system has taken")
{
    FakeHelper helper;
    const HelperGateway gateway(helper, layout, each_time);
    std::byte* const buffer = *helper.buffers.allocate(128);
    std::byte* const copy = *helper.buffers.allocate(128);
    std::fill_n(buffer, 128, std::byte{5});
    std::fill_n(copy, 128, std::byte{5});
    std::array<std::byte, 128> elsewhere{};
    elsewhere.fill(std::byte{5});
    const auto made = [](std::byte* data, std::uint32_t length = 128) {
        Message message{};
        message.write(from_afar(length));
        message.data = data;
        return message;
    };
    const Message one = made(buffer);
    CHECK(gateway.are_alike(one, made(buffer)));
    CHECK(gateway.are_alike(one, made(copy)));
    CHECK_FALSE(gateway.are_alike(one, made(elsewhere.data()))); // lent: it may not be there any more
    CHECK(gateway.are_alike(made(elsewhere.data()), made(elsewhere.data())));
    CHECK_FALSE(gateway.are_alike(one, made(buffer, 127)));
    CHECK(gateway.are_alike(made(buffer, 0), made(nullptr, 0)));

    Message inside = made(nullptr, 100), other = made(nullptr, 100);
    inside.data = inside.space;
    other.data = other.space;
    std::fill_n(inside.space, 100, std::byte{7});
    std::fill_n(other.space, 100, std::byte{7});
    CHECK(gateway.are_alike(inside, other));
    other.space[99] = std::byte{8};
    CHECK_FALSE(gateway.are_alike(inside, other));
    other.space[99] = std::byte{7};
    other.write(Envelope::of_words(other.contents(), other.sender() | Envelope::home_bits(3)));
    CHECK(gateway.are_alike(inside, other));
    Completion counted;
    other.count_on(counted);
    CHECK_FALSE(gateway.are_alike(inside, other));

    copy[127] = std::byte{6};
    CHECK_FALSE(gateway.are_alike(one, made(copy)));
    helper.buffers.release(buffer);
    helper.buffers.release(copy);
}

TEST_CASE("a helper says once that it waits for memory, and once that it does so no more")
{
    FakeHelper helper;
    HelperGateway gateway(helper, layout, each_time);
    for (const bool wants : {false, true, true, false, false})
        gateway.want_budget(wants);
    CHECK(helper.wishes == std::vector<bool>{true, false});
}

TEST_CASE("a helper that rests is seen to wait, and then not")
{
    FakeHelper helper;
    HelperGateway gateway(helper, layout, each_time);
    gateway.begin_rest(0);
    CHECK(helper.record.epoch.load() % 2 == 1);
    CHECK(helper.record.length.load() == 0);
    gateway.end_rest();
    CHECK(helper.record.epoch.load() % 2 == 0);
    gateway.want_budget(true);
    gateway.begin_rest(0);
    CHECK(helper.record.length.load() == 1); // it waits for memory
}

TEST_CASE("a helper without a network ends with the last process, also if that ends while it looks")
{
    FakeHelper helper;
    NetworkTransport transport({layout, 0});
    CHECK(transport.help(helper));
    CHECK_FALSE(helper.waits_too_long);
}

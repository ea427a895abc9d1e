// SPDX-License-Identifier: MIT
// When messages arrive over simulated interfaces, to the nanosecond, and that none is lost or overtaken by
// its sender's own where queues are short or interfaces many; and which mailbox a message goes to, and which
// pool's it is, where nodes are on several multiprocessors.
#include "messaging/transport/interfaces/interfaces.hpp"

#include "testing/catch.hpp"

#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace parley::messaging;

namespace {

// A message of no bytes has a way for 100 ns, one of 500 bytes for 600.
constexpr WireTimes times{.latency = 1000, .message = 100, .rate = 1000};

// Four pools. Processes that differ by 4 have the same.
struct Scene {
    static constexpr unsigned pools = 4;

    std::vector<std::uint64_t> memory;
    Wires wires;
    std::deque<Message> messages;

    explicit Scene(unsigned room, unsigned interfaces = 1)
        : Scene(WireNumbers{.pools = pools, .interfaces = interfaces, .room = room})
    {
    }
    explicit Scene(const WireNumbers& numbers)
        : memory(Wires::bytes_for(numbers) / sizeof(std::uint64_t)),
          wires(reinterpret_cast<std::byte*>(memory.data()), numbers, times)
    {
    }

    void send(unsigned from, unsigned to, std::uint32_t type, std::uint32_t bytes = 0)
    {
        Message& message = messages.emplace_back();
        message.write(Envelope({}, static_cast<std::uint16_t>(from)).addressed(type, bytes, 0, 0));
        message.destination = static_cast<std::uint16_t>(to);
        wires.accept(message, from % pools);
    }
    static unsigned to_of(const Message& message) { return message.destination % pools; }
    Message* next(std::uint64_t now) { return wires.next(now, to_of); }

    // Type and time of each that comes, when whoever asks does so at each time that wires are due.
    using Arrivals = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
    Arrivals all(std::uint64_t now = 0)
    {
        Arrivals arrivals;
        while (!wires.is_empty()) {
            while (const Message* const message = next(now))
                arrivals.emplace_back(message->type(), now);
            now = wires.is_empty() ? now : wires.due();
        }
        return arrivals;
    }
};

using Arrivals = Scene::Arrivals;

} // namespace

TEST_CASE("a message comes after the latency and the time of its bytes, if nobody is in its way")
{
    Scene scene(4);
    scene.send(0, 1, 7, GENERATE(0, 500));
    const std::uint64_t on_a_way = 100 + scene.messages.front().length();
    CHECK(scene.next(5) == nullptr); // it begins now
    CHECK(scene.next(5 + 1000 + on_a_way - 1) == nullptr);
    CHECK(scene.wires.due() == 5 + 1000 + on_a_way);
    CHECK(scene.next(5 + 1000 + on_a_way) == &scene.messages.front());
    CHECK(scene.wires.is_empty());
}

TEST_CASE("messages of one interface leave one after the other, and stay in order")
{
    Scene scene(4);
    scene.send(0, 1, 1, 500);
    scene.send(0, 2, 2);
    scene.send(0, 1, 3);
    CHECK(scene.all() == Arrivals{{1, 1600}, {2, 1700}, {3, 1800}});
}

TEST_CASE("interfaces that have nothing to do with each other do not delay each other")
{
    Scene scene(4);
    for (std::uint32_t i = 0; i < 3; ++i) {
        scene.send(0, 1, i);
        scene.send(2, 3, 10 + i);
    }
    CHECK(scene.all() == Arrivals{{0, 1100}, {10, 1100}, {1, 1200}, {11, 1200}, {2, 1300}, {12, 1300}});
}

// A message keeps its place in a queue until it comes in, so there have to be places for what is on its way.
TEST_CASE("where many send to one, its way in is the limit")
{
    const unsigned room = GENERATE(4u, 8u);
    constexpr unsigned each = 20;
    Scene scene(room);
    for (std::uint32_t i = 0; i < each; ++i)
        for (const unsigned from : {1u, 2u, 3u})
            scene.send(from, 0, 100 * from + i);
    const Arrivals arrivals = scene.all();
    REQUIRE(arrivals.size() == 3 * each);
    CHECK(arrivals.back().second == 1000 + 3 * each * 100);
    std::vector<std::uint32_t> expected{100, 200, 300};
    for (const auto& [type, time] : arrivals)
        CHECK(type == expected[type / 100 - 1]++);
}

TEST_CASE("where queues are too short for what is on its way, messages come later, and all of them in order")
{
    Scene scene(1);
    for (std::uint32_t i = 0; i < 20; ++i)
        scene.send(0, 1, i);
    const Arrivals arrivals = scene.all();
    REQUIRE(arrivals.size() == 20);
    for (std::uint32_t i = 0; i < 20; ++i)
        CHECK(arrivals[i] == std::pair(i, (i + 1) * std::uint64_t{1000} + 100));
}

TEST_CASE("a message that finds no room holds up what is behind it")
{
    Scene scene(1);
    scene.send(0, 3, 1, 5000);
    CHECK(scene.next(0) == nullptr);
    CHECK(scene.next(1000) == nullptr); // it comes in until 6100
    scene.send(1, 3, 2);
    scene.send(1, 2, 3);
    CHECK(scene.all(1000) == Arrivals{{1, 6100}, {2, 6200}, {3, 7200}});
}

TEST_CASE("messages of a pool leave and come in by all of its interfaces at once")
{
    const std::uint64_t interfaces = GENERATE(1u, 2u, 3u, 4u);
    Scene scene(12, static_cast<unsigned>(interfaces));
    for (std::uint32_t i = 0; i < 12; ++i)
        scene.send(0, 1, i);
    const Arrivals arrivals = scene.all();
    REQUIRE(arrivals.size() == 12);
    for (std::uint32_t i = 0; i < 12; ++i)
        CHECK(arrivals[i] == std::pair(i, 1100 + i / interfaces * 100));
}

// The first has one interface until 600 and, in the other pool, until 1600; the others have the other one.
TEST_CASE("a message goes by the interface that is free first")
{
    Scene scene(4, 2);
    scene.send(0, 1, 0, 500);
    for (std::uint32_t i = 1; i < 8; ++i)
        scene.send(4 * i, 1, i);
    CHECK(scene.all() ==
          Arrivals{{1, 1100}, {2, 1200}, {3, 1300}, {4, 1400}, {5, 1500}, {0, 1600}, {6, 1600}, {7, 1700}});
}

TEST_CASE("what could overtake its sender's own message to its destination comes with it, and others sooner")
{
    Scene scene(4, 2);
    scene.send(0, 1, 1, 500);
    scene.send(0, 1, 2);
    scene.send(0, 5, 3);
    scene.send(4, 1, 4);
    scene.send(0, 1, 5);
    CHECK(scene.all() == Arrivals{{3, 1200}, {4, 1300}, {1, 1600}, {2, 1600}, {5, 1600}});
}

TEST_CASE("where many send to one pool, its ways in are the limit")
{
    const unsigned interfaces = GENERATE(1u, 2u, 4u);
    Scene scene(8, interfaces);
    for (std::uint32_t i = 0; i < 20; ++i)
        for (const unsigned from : {1u, 2u, 3u})
            scene.send(from, 0, i);
    CHECK(scene.all().back().second == 1000 + 60 * 100 / interfaces);
}

// Each has a place until it comes in, and a pool has one for each interface.
TEST_CASE("a pool has the places of all its interfaces")
{
    Scene scene(1, 2);
    for (std::uint32_t i = 0; i < 20; ++i)
        scene.send(0, 1, i);
    const Arrivals arrivals = scene.all();
    REQUIRE(arrivals.size() == 20);
    for (std::uint32_t i = 0; i < 20; ++i)
        CHECK(arrivals[i] == std::pair(i, (i / 2 + 1) * std::uint64_t{1000} + 100));
}

TEST_CASE("nothing is lost, comes too soon or overtakes its sender's own, however many interfaces there are")
{
    const unsigned interfaces = GENERATE(1u, 2u, 3u, 16u), room = GENERATE(1u, 3u, 64u);
    std::mt19937 random(interfaces * 100 + room);
    Scene scene(room, interfaces);
    std::uint64_t now = 0;
    std::uint32_t sent = 0, arrived = 0;
    std::map<std::uint32_t, std::uint64_t> given; // by type, which is the order in which they are given
    std::map<std::pair<unsigned, unsigned>, std::uint32_t> last;
    while (arrived < 500) {
        for (unsigned burst = random() % 8; burst > 0 && sent < 500; --burst) {
            scene.send(random() % 8, random() % 8, ++sent, random() % 3 * 1000);
            given[sent] = now;
        }
        while (const Message* const message = scene.next(now)) {
            ++arrived;
            CHECK(now >= given[message->type()] + times.latency + times.on_a_way(message->length()));
            std::uint32_t& before = last[{message->source(), message->destination}];
            CHECK(message->type() > before);
            before = message->type();
        }
        const std::uint64_t due = scene.wires.due();
        now = sent < 500 || due == Wires::never ? now + random() % 2000 : due;
    }
    CHECK(scene.wires.is_empty());
}

TEST_CASE("whoever must end gets all messages at once, in the order in which they would come")
{
    const std::uint64_t now = GENERATE(0, 1000, 2000); // one is in the queue of its destination from 1000 on
    Scene scene(1);
    for (std::uint32_t i = 0; i < 5; ++i)
        scene.send(0, 1, i);
    CHECK(scene.next(0) == nullptr);
    CHECK(scene.next(now == 0 ? 0 : 1000) == nullptr);
    std::vector<std::uint32_t> types;
    scene.wires.let_all_come(now, Scene::to_of,
                             [&](const Message& message) { types.push_back(message.type()); });
    CHECK(types == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(scene.wires.is_empty());
}

TEST_CASE("processes of one multiprocessor reach each other, and others by the helper")
{
    constexpr Layout layout{.nodes = 8, .pids = 2, .host = true};
    constexpr unsigned host = 16, helper = 17;
    const InterfacesTransport transport({layout, 0}, {4, 0, 0, 1, 1, 0, 2, 1});
    REQUIRE(transport.groups() == 4);
    for (unsigned endpoint = 0; endpoint < host; ++endpoint)
        CHECK(transport.group_of(endpoint, layout) == endpoint % 8 / 2);
    CHECK(transport.group_of(host, layout) == 0);
    for (unsigned group = 0; group < 4; ++group) {
        for (unsigned endpoint = 0; endpoint <= host; ++endpoint) {
            const bool is_near = transport.group_of(endpoint, layout) == group;
            CHECK(transport.route(group, endpoint, layout) == (is_near ? endpoint : helper));
        }
        CHECK(transport.route(group, helper, layout) == helper);
    }
}

TEST_CASE("of one multiprocessor all processes are near, and look into its interface all the same")
{
    constexpr Layout layout{.nodes = 8, .pids = 2, .host = true};
    const InterfacesTransport transport({layout, 0}, {1, 0, 0, 1, 1, 100, 1, 1});
    REQUIRE(transport.groups() == 1);
    for (unsigned endpoint = 0; endpoint <= 17; ++endpoint)
        CHECK(transport.route(0, endpoint, layout) == endpoint);
    Binding binding(0);
    transport.bind(binding);
    CHECK(binding.look == 100);
}

TEST_CASE("the processes of a multiprocessor have one pool of interfaces, or are divided among several")
{
    constexpr Layout layout{.nodes = 8, .pids = 2, .host = true};
    for (const unsigned pools : {1u, 2u, 4u}) {
        const InterfacesTransport transport({layout, 0}, {2, 0, 0, 1, 1, 0, 1, pools});
        for (unsigned endpoint = 0; endpoint < 16; ++endpoint) {
            CHECK(transport.pool_of(endpoint) == endpoint % 8 * pools / 4);
            CHECK(transport.pool_of(endpoint) / pools == transport.group_of(endpoint, layout));
        }
        CHECK(transport.pool_of(16) == 0);
    }
}

TEST_CASE("a process looks into each interface of its pool")
{
    Binding binding(0);
    InterfacesTransport({{.nodes = 4}, 0}, {2, 0, 0, 1, 1, 100, 3, 2}).bind(binding);
    CHECK(binding.look == 300);
}

// SPDX-License-Identifier: MIT
// Two ends of a link over a wire that loses, repeats, reorders and damages frames by a seed.
#include "kernel/network/reliable_link.hpp"

#include "testing/catch.hpp"

#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace parley::kernel;

namespace {

constexpr std::uint64_t millisecond = 1'000'000;

// How many frames of a hundred are lost, repeated, overtaken and damaged.
struct Faults {
    unsigned lost = 0, repeated = 0, overtaken = 0, damaged = 0;
};

class FaultyWire final : public Wire {
public:
    FaultyWire(unsigned seed, const Faults& faults) : chance_(seed), faults_(faults) { }

    void transmit(const FrameHead& head, std::span<const std::byte> packet) override
    {
        ++frames;
        if (happens(faults_.lost))
            return;
        std::vector<std::byte> bytes(sizeof head + packet.size());
        std::memcpy(bytes.data(), &head, sizeof head);
        if (!packet.empty())
            std::memcpy(bytes.data() + sizeof head, packet.data(), packet.size());
        if (happens(faults_.damaged))
            bytes[chance_() % bytes.size()] ^= std::byte{0x10};
        if (happens(faults_.repeated))
            add(bytes);
        add(std::move(bytes));
    }

    // Brings what is on its way to the other end.
    void bring_to(ReliableLink& link, std::uint64_t now)
    {
        std::deque<std::vector<std::byte>> coming = std::move(on_its_way_);
        on_its_way_.clear();
        for (const std::vector<std::byte>& bytes : coming) {
            FrameHead head;
            std::span<const std::byte> packet;
            if (read_frame(bytes, head, packet))
                link.arrive(head, packet, now);
        }
        link.answer(now);
    }

    unsigned frames = 0;

private:
    bool happens(unsigned of_a_hundred) { return chance_() % 100 < of_a_hundred; }
    void add(std::vector<std::byte> bytes)
    {
        const std::size_t last = on_its_way_.size();
        on_its_way_.push_back(std::move(bytes));
        if (last > 0 && happens(faults_.overtaken))
            std::swap(on_its_way_[last], on_its_way_[chance_() % last]);
    }

    std::minstd_rand chance_;
    const Faults faults_;
    std::deque<std::vector<std::byte>> on_its_way_;
};

// Packets are numbered, and of many lengths.
struct End {
    End(Wire& wire, unsigned here)
        : link(std::make_unique<ReliableLink>(wire, ReliableLink::Ends{here, 1 - here, 7, here + 1}))
    {
    }

    void send_up_to(unsigned count, std::uint64_t now)
    {
        while (sent < count) {
            const std::string rest(sent * 37 % 300, static_cast<char>(sent));
            if (!link->send(std::as_bytes(std::span(&sent, 1)), std::as_bytes(std::span(rest)), now))
                return;
            ++sent;
        }
    }
    void take_all(std::uint64_t now)
    {
        while (link->has_packet()) {
            unsigned number = 0;
            const std::span<const std::byte> packet = link->packet(0);
            REQUIRE(packet.size() == sizeof number + received * 37 % 300);
            std::memcpy(&number, packet.data(), sizeof number);
            REQUIRE(number == received);
            REQUIRE((packet.size() == sizeof number || packet.back() == static_cast<std::byte>(received)));
            link->take(now);
            ++received;
        }
    }

    std::unique_ptr<ReliableLink> link;
    unsigned sent = 0, received = 0;
};

struct Pair {
    Pair(unsigned seed, const Faults& faults)
        : there(seed, faults), back(seed + 1, faults), one(there, 0), other(back, 1)
    {
    }

    void step(bool other_takes = true)
    {
        there.bring_to(*other.link, now);
        back.bring_to(*one.link, now);
        one.take_all(now);
        if (other_takes)
            other.take_all(now);
        now += millisecond;
        one.link->tick(now);
        other.link->tick(now);
    }

    std::uint64_t now = 1;
    FaultyWire there, back;
    End one, other;
};

} // namespace

TEST_CASE("packets arrive once and in order over a wire that loses, repeats, reorders and damages frames")
{
    for (const unsigned seed : {1u, 2u}) {
        INFO("seed " << seed);
        constexpr unsigned count = 3'000;
        Pair pair(seed, {.lost = 5, .repeated = 5, .overtaken = 20, .damaged = 2});
        for (unsigned steps = 0;
             steps < 1'000'000 && (pair.one.received < count || pair.other.received < count); ++steps) {
            pair.one.send_up_to(count, pair.now);
            pair.other.send_up_to(count, pair.now);
            pair.step();
        }
        CHECK(pair.one.received == count);
        CHECK(pair.other.received == count);
        for (unsigned steps = 0; steps < 1000; ++steps)
            pair.step();
        CHECK(pair.one.received == count); // nothing comes twice
        CHECK(pair.one.link->has_sent_all());
        CHECK(pair.other.link->has_sent_all());
    }
}

TEST_CASE("over a wire without faults nothing is sent twice")
{
    Pair pair(1, {});
    for (unsigned steps = 0; steps < 200; ++steps) // the ends meet
        pair.step();
    const unsigned before = pair.there.frames;
    const std::uint64_t since = pair.now;
    while (pair.other.received < 1000) {
        pair.one.send_up_to(1000, pair.now);
        pair.step();
    }
    CHECK(pair.there.frames - before <= 1000 + (pair.now - since) / ReliableLink::sign_of_life + 1);
}

TEST_CASE("whoever does not take what has come holds up the sender, and nothing is lost")
{
    Pair pair(1, {.lost = 10});
    for (unsigned steps = 0; steps < 2000; ++steps) {
        pair.one.send_up_to(100, pair.now);
        pair.step(false);
    }
    CHECK(pair.one.sent == ReliableLink::window);
    for (unsigned steps = 0; steps < 2000; ++steps) {
        pair.one.send_up_to(100, pair.now);
        pair.step();
    }
    CHECK(pair.other.received == 100);
}

TEST_CASE("a machine that is not there yet gets what was sent before, and one that is gone is not heard of")
{
    Pair pair(1, {});
    pair.one.send_up_to(3, pair.now);
    for (unsigned steps = 0; steps < 1000; ++steps) { // nobody is there
        pair.now += millisecond;
        pair.one.link->tick(pair.now);
    }
    CHECK(pair.one.link->last_heard() == 0);
    for (unsigned steps = 0; steps < 500; ++steps)
        pair.step();
    CHECK(pair.other.received == 3);
    CHECK(pair.now - pair.one.link->last_heard() <= 2 * ReliableLink::sign_of_life);
    const std::uint64_t heard = pair.one.link->last_heard();
    for (unsigned steps = 0; steps < 1000; ++steps) {
        pair.now += millisecond;
        pair.one.link->tick(pair.now);
    }
    CHECK(pair.one.link->last_heard() == heard);
}

TEST_CASE("a machine that was booted again is known")
{
    Pair pair(1, {});
    pair.step();
    FaultyWire back(1, {});
    ReliableLink again(back, {1, 0, 7, 99});
    again.tick(pair.now + ReliableLink::sign_of_life);
    CHECK_FALSE(pair.one.link->has_begun_anew());
    for (unsigned steps = 0; steps < 200; ++steps)
        pair.step();
    back.bring_to(*pair.one.link, pair.now);
    pair.one.link->tick(pair.now + ReliableLink::sign_of_life);
    pair.there.bring_to(again, pair.now);
    back.bring_to(*pair.one.link, pair.now);
    CHECK(pair.one.link->has_begun_anew());
}

TEST_CASE("what an earlier boot of a machine has sent is for nobody, whenever it comes")
{
    const unsigned late = GENERATE(0u, 1u, 300u); // steps after which it comes
    FaultyWire of_earlier(1, {});
    ReliableLink earlier(of_earlier, {1, 0, 7, 99});
    const unsigned nothing = 77;
    REQUIRE(earlier.send(std::as_bytes(std::span(&nothing, 1)), {}, 1));
    Pair pair(1, {});
    for (unsigned steps = 0; steps < 1000; ++steps) {
        if (steps == late)
            of_earlier.bring_to(*pair.one.link, pair.now);
        pair.one.send_up_to(100, pair.now);
        pair.other.send_up_to(100, pair.now);
        pair.step();
    }
    CHECK(pair.one.received == 100);
    CHECK(pair.other.received == 100);
    CHECK_FALSE(pair.one.link->has_begun_anew());
    CHECK(pair.one.link->last_heard() != 0);
}

TEST_CASE("what was meant for an earlier boot of a machine is not taken by a later one")
{
    FaultyWire wire(1, {}), unused(1, {});
    End other(wire, 1);
    auto earlier = std::make_unique<ReliableLink>(unused, ReliableLink::Ends{0, 1, 7, 98});
    earlier->tick(ReliableLink::sign_of_life);
    unused.bring_to(*other.link, 1); // the other end has heard of the earlier boot
    other.send_up_to(1, 1);
    ReliableLink later(unused, {0, 1, 7, 99});
    wire.bring_to(later, 2);
    CHECK_FALSE(later.has_packet());
    CHECK(later.last_heard() == 0);
}

TEST_CASE("packets that are sent before the ends have met come as soon as they have")
{
    Pair pair(1, {});
    pair.one.send_up_to(5, pair.now);
    for (unsigned steps = 0; steps < 6; ++steps)
        pair.step();
    CHECK(pair.other.received == 5);
}

TEST_CASE("a frame that is cut off or damaged is none")
{
    FrameHead head{.checksum = 0,
                   .kernel = 1,
                   .boot = 1,
                   .heard = 0,
                   .from = 0,
                   .to = 1,
                   .length = 4,
                   .sequence = 0,
                   .expected = 0,
                   .arrived = 0,
                   .limit = 32};
    std::vector<std::byte> bytes(sizeof head + head.length, std::byte{3});
    head.checksum = checksum_of(head, std::span(bytes).last(head.length));
    std::memcpy(bytes.data(), &head, sizeof head);
    FrameHead read;
    std::span<const std::byte> packet;
    CHECK(read_frame(bytes, read, packet));
    CHECK(packet.size() == 4);
    CHECK_FALSE(read_frame(std::span(bytes).first(bytes.size() - 1), read, packet));
    CHECK_FALSE(read_frame(std::span(bytes).first(3), read, packet));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::vector<std::byte> damaged = bytes;
        damaged[at] ^= std::byte{1};
        CHECK_FALSE(read_frame(damaged, read, packet));
    }
}

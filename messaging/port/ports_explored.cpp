// SPDX-License-Identifier: MIT
// Every Port leaf, in every order of the steps of two senders and a taker.
#include "messaging/message/message.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/made.hpp"
#include "testing/selection.hpp"
#include "testing/wrong_leaves.hpp"

#include "messaging/leaves.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

template <class P>
Message* take_from(P& port, unsigned turns)
{
    return port.take(turns) ? static_cast<Message*>(&port.taken()) : nullptr;
}

// Everything one execution needs; the taker plays the owner who holds the endpoint's lock.
template <class P>
struct Scene {
    P port = testing::made<P>();
    std::array<Message, 4> messages{};
    std::vector<Message*> taken;
    explorer::Noted<unsigned> refused = 0;

    void send(std::size_t index)
    {
        if (port.put(messages[index], messages[index]) != nullptr)
            ++refused;
    }
    void take() // and look once more
    {
        if (Message* const message = take_from(port, 1))
            taken.push_back(message);
    }
    void take_all()
    {
        while (Message* const message = take_from(port, 0))
            taken.push_back(message);
    }
    long position(std::size_t index) const
    {
        const auto at = std::find(taken.begin(), taken.end(), &messages[index]);
        return at == taken.end() ? -1 : at - taken.begin();
    }
};

template <class P>
explorer::Play two_senders_and_a_taker()
{
    auto scene = std::make_shared<Scene<P>>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0), scene->send(1); });
    play.parties.push_back([scene] { scene->send(2); });
    play.parties.push_back([scene] { scene->take(), scene->take(); });
    play.check = [scene]() -> std::string {
        scene->take_all();
        if (scene->refused != 0)
            return "an empty port refused a message";
        if (scene->taken.size() != 3)
            return "a message was lost or doubled";
        return scene->position(0) < scene->position(1) ? "" : "one sender's messages changed places";
    };
    return play;
}

// In every order, with any number of preemptions.
template <class P>
explorer::Play a_sender_and_a_taker()
{
    auto scene = std::make_shared<Scene<P>>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0), scene->send(1); });
    play.parties.push_back([scene] { scene->take(), scene->take(); });
    play.check = [scene]() -> std::string {
        scene->take_all();
        if (scene->refused != 0 || scene->taken.size() != 2)
            return "a message was refused, lost or doubled";
        return scene->position(0) < scene->position(1) ? "" : "the messages changed places";
    };
    return play;
}

// Ports without a limit are not full then either.
constexpr std::size_t enough_to_fill = 300;

// One place is free, two senders want it while the taker frees another.
template <class P>
explorer::Play a_nearly_full_port()
{
    auto scene = std::make_shared<Scene<P>>();
    static Message filler[enough_to_fill];
    std::size_t inside = 0;
    while (inside < enough_to_fill && scene->port.put(filler[inside], filler[inside]) == nullptr)
        ++inside;
    for (std::size_t index = 0; index < inside; ++index)
        (void)scene->port.take(0);
    for (std::size_t index = 0; index + 1 < inside; ++index)
        (void)scene->port.put(filler[index], filler[index]);
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0); });
    play.parties.push_back([scene] { scene->send(1); });
    play.parties.push_back([scene] { scene->take(); });
    play.check = [scene, inside]() -> std::string {
        scene->take_all();
        const std::size_t expected = inside + 1 - scene->refused;
        if (scene->refused > 1 || scene->taken.size() != expected)
            return "a full port lost a message or refused too many";
        return scene->taken.front() == &filler[0] ? "" : "the oldest did not come first";
    };
    return play;
}

// A full port, from which so many are taken that it has room again while a sender wants it.
template <class P>
explorer::Play a_full_port_that_gets_room()
{
    auto scene = std::make_shared<Scene<P>>();
    static Message filler[enough_to_fill];
    std::size_t inside = 0;
    while (inside < enough_to_fill && scene->port.put(filler[inside], filler[inside]) == nullptr)
        ++inside;
    explorer::Play play;
    play.parties.push_back([scene] {
        for (int taken = 0; taken < 17; ++taken)
            scene->take();
    });
    play.parties.push_back([scene] { scene->send(0), scene->send(1); });
    play.check = [scene, inside]() -> std::string {
        scene->take_all();
        return scene->taken.size() == inside + 2 - scene->refused ? "" : "a message was lost or doubled";
    };
    return play;
}

// Two senders leave copies while the taker keeps each for later and gives one back: a copy that finds no
// memory, or another's, shows.
explorer::Play copies_that_are_kept()
{
    struct Kept {
        CarryingPort port;
        std::vector<Message*> kept;
        explorer::Noted<unsigned> sent = 0;

        void send(std::uint32_t type)
        {
            if (port.put_copy(nullptr, Envelope({}, 0).addressed(type, 0, 0, 0)))
                ++sent;
        }
        void keep()
        {
            if (port.take(1))
                kept.push_back(&port.keep());
        }
        std::string fault()
        {
            std::vector<std::uint32_t> types;
            for (const Message* const message : kept)
                types.push_back(message->type());
            std::sort(types.begin(), types.end());
            if (std::adjacent_find(types.begin(), types.end()) != types.end())
                return "two messages were kept in one memory";
            return "";
        }
    };
    auto scene = std::make_shared<Kept>();
    // All of the reserve but two is in use, and the last that was taken counts as if it were to be kept.
    constexpr unsigned before = Reserve::places - 2;
    for (unsigned type = 0; type < before; ++type) {
        scene->send(100 + type);
        scene->keep();
    }
    scene->sent = 0;
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(1), scene->send(2); });
    play.parties.push_back([scene] { scene->send(3); });
    play.parties.push_back([scene] { scene->keep(), scene->keep(); });
    play.check = [scene]() -> std::string {
        while (scene->port.take(0))
            scene->kept.push_back(&scene->port.keep());
        if (scene->kept.size() != before + scene->sent)
            return "a copy was lost or doubled";
        if (scene->sent > 2)
            return "more copies were let in than can be kept";
        return scene->fault();
    };
    return play;
}

} // namespace

TEST_CASE("a port lets no more copies in than it can keep in any order of steps")
{
    const auto outcome = explorer::explore({.preemptions = 2}, copies_that_are_kept);
    CHECK(outcome.failure == "");
    CHECK(outcome.executions > 100);
}

TEST_CASE("a port neither loses, doubles nor reorders in any order of steps")
{
    testing::for_each_leaf<PortLeaves>([]<class P>() {
        INFO(std::string(P::name));
        const auto outcome = explorer::explore({.preemptions = 3}, two_senders_and_a_taker<P>);
        CHECK(outcome.failure == "");
        CHECK(outcome.executions > 100);
    });
}

TEST_CASE("a port hands on what one sender puts in every order of steps there is")
{
    testing::for_each_leaf<PortLeaves>([]<class P>() {
        INFO(std::string(P::name));
        CHECK(explorer::explore({.preemptions = explorer::unlimited}, a_sender_and_a_taker<P>).failure == "");
    });
}

TEST_CASE("a nearly full port refuses rather than overwrites in any order of steps")
{
    testing::for_each_leaf<PortLeaves>([]<class P>() {
        INFO(std::string(P::name));
        CHECK(explorer::explore({.preemptions = 2}, a_nearly_full_port<P>).failure == "");
    });
}

TEST_CASE("a full port that gets room is filled behind whoever has read it")
{
    testing::for_each_leaf<PortLeaves>([]<class P>() {
        INFO(std::string(P::name));
        CHECK(explorer::explore({.preemptions = 1}, a_full_port_that_gets_room<P>).failure == "");
    });
}

TEST_CASE("the explorer finds a port that loses or reorders in some orders of steps only")
{
    const auto unlocked = explorer::explore({}, two_senders_and_a_taker<testing::UnlockedPort>);
    CHECK(unlocked.failure.starts_with("a message was lost or doubled"));
    const auto reversing = explorer::explore({}, two_senders_and_a_taker<testing::StackPort>);
    CHECK(reversing.failure.starts_with("one sender's messages changed places"));
}

// SPDX-License-Identifier: MIT
// Every Port leaf, in every order of the steps of two senders and a taker.
#include "messaging/message/message.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made_port.hpp"
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

Message* take_from(Port& port, unsigned looks)
{
    return static_cast<Message*>(port.take(testing::lone_taker, looks).memory());
}

// Everything one execution needs; the taker plays the owner who holds the endpoint's lock.
struct Scene {
    explicit Scene(const testing::PortLeaf& leaf) : made(leaf) { }

    testing::MadePort made;
    Port& port = *made;
    std::array<Message, 4> messages{};
    std::vector<Message*> taken;
    explorer::Noted<unsigned> refused = 0;

    void send(unsigned caller, std::size_t index)
    {
        if (!port.put(caller, messages[index], &messages[index]))
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

explorer::Play two_senders_and_a_taker(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0, 0), scene->send(0, 1); });
    play.parties.push_back([scene] { scene->send(1, 2); });
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
explorer::Play a_sender_and_a_taker(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0, 0), scene->send(0, 1); });
    play.parties.push_back([scene] { scene->take(), scene->take(); });
    play.check = [scene]() -> std::string {
        scene->take_all();
        if (scene->refused != 0 || scene->taken.size() != 2)
            return "a message was refused, lost or doubled";
        return scene->position(0) < scene->position(1) ? "" : "the messages changed places";
    };
    return play;
}

// The owner looks at the port's word, and into the port only when that has changed; another takes once, as a
// sender does that finds a port full.
explorer::Play an_owner_that_watches(const testing::PortLeaf& leaf)
{
    struct Watching : Scene {
        using Scene::Scene;

        sched::ShortLock lock; // the mailbox's
        Port::Watched watched;

        bool take_and_watch(bool is_owner)
        {
            const sched::ShortGuard guard(lock);
            Message* const message = take_from(port, 0);
            if (is_owner)
                watched = port.watched(testing::lone_taker);
            const explorer::Aside aside;
            if (message != nullptr)
                taken.push_back(message);
            return message != nullptr;
        }
    };
    auto scene = std::make_shared<Watching>(leaf);
    auto all = std::make_shared<Atomic<unsigned>>(0); // how many have been taken
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0, 0), scene->send(0, 1); });
    play.parties.push_back([=] {
        while (all->load() < 2)
            if (scene->watched.has_nothing())
                explorer::spin();
            else if (scene->take_and_watch(true))
                all->fetch_add(1);
            else if (!scene->watched.has_nothing())
                explorer::spin();
    });
    play.parties.push_back([=] {
        if (scene->take_and_watch(false))
            all->fetch_add(1);
    });
    play.check = [scene]() -> std::string {
        return scene->taken.size() == 2 && scene->refused == 0 ? "" : "a message was lost or doubled";
    };
    return play;
}

// Ports without a limit are not full then either.
constexpr std::size_t enough_to_fill = 300;

// One slot is free, two senders want it while the taker frees another.
explorer::Play a_nearly_full_port(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    static Message filler[enough_to_fill];
    std::size_t inside = 0;
    while (inside < enough_to_fill && scene->port.put(0, filler[inside], &filler[inside]))
        ++inside;
    for (std::size_t index = 0; index < inside; ++index)
        (void)scene->port.take(testing::lone_taker, 0);
    for (std::size_t index = 0; index + 1 < inside; ++index)
        (void)scene->port.put(0, filler[index], &filler[index]);
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(0, 0); });
    play.parties.push_back([scene] { scene->send(1, 1); });
    play.parties.push_back([scene] { scene->take(); });
    play.check = [scene, inside]() -> std::string {
        scene->take_all();
        const std::size_t expected = inside + 1 - scene->refused;
        if (scene->refused > 1 || scene->taken.size() != expected)
            return "a full port lost a message or refused too many";
        const auto first = std::ranges::find_if(scene->taken, [](const Message* message) {
            return message >= filler && message < filler + enough_to_fill;
        });
        return *first == &filler[0] ? "" : "the oldest of its sender did not come first";
    };
    return play;
}

// A full port, from which so many are taken that it has room again while a sender wants it.
explorer::Play a_full_port_that_gets_room(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Scene>(leaf);
    static Message filler[enough_to_fill];
    std::size_t inside = 0;
    while (inside < enough_to_fill && scene->port.put(0, filler[inside], &filler[inside]))
        ++inside;
    explorer::Play play;
    play.parties.push_back([scene] {
        for (int taken = 0; taken < 17; ++taken)
            scene->take();
    });
    play.parties.push_back([scene] { scene->send(0, 0), scene->send(0, 1); });
    play.check = [scene, inside]() -> std::string {
        scene->take_all();
        return scene->taken.size() == inside + 2 - scene->refused ? "" : "a message was lost or doubled";
    };
    return play;
}

// All bytes are the type.
class SameBytes final : public Source {
public:
    SameBytes(std::uint32_t type, std::uint32_t length) : type_(type), length_(length) { }
    Result<void> fill(std::byte* room) const override
    {
        for (std::uint32_t index = 0; index < length_; ++index)
            room[index] = static_cast<std::byte>(type_);
        explorer::step();
        return {};
    }

private:
    const std::uint32_t type_, length_;
};

// A process ends while it brings these.
class EndlessBytes final : public Source {
public:
    // `step`: 1 while they are brought, which never ends.
    explicit EndlessBytes(Atomic<unsigned>& step) : step_(step) { }
    Result<void> fill(std::byte*) const override
    {
        step_.store(1);
        while (step_.load() == 1)
            explorer::spin();
        return {};
    }

private:
    Atomic<unsigned>& step_;
};

// Cannot be read.
class BadBytes final : public Source {
public:
    Result<void> fill(std::byte*) const override { return std::unexpected(Error::bad_buffer); }
};

// A port with room, and messages that it carries whole: those of type 1 to 99 with bytes.
struct Carrying {
    static constexpr std::uint32_t length = 8;

    explicit Carrying(const testing::PortLeaf& leaf) : made(leaf) { }

    testing::MadePort made;
    Port& port = *made;
    std::vector<std::uint32_t> taken;
    std::vector<Message*> held;
    explorer::Noted<unsigned> sent = 0;

    bool send(unsigned caller, std::uint32_t type)
    {
        const bool with_bytes = type < 100;
        const Envelope envelope = Envelope({}, 0).addressed(type, with_bytes ? length : 0, 0, 0);
        const SameBytes bytes(type, length);
        const bool is_in = with_bytes ? port.put_bytes(caller, envelope, bytes) == Put::in
                                      : port.put(caller, envelope, nullptr);
        sent += is_in ? 1 : 0;
        return is_in;
    }
    bool take()
    {
        const bool is_shown = port.sight() == Sight::message; // and nobody else takes
        const Taken found = port.take(testing::lone_taker, 1);
        if (!found && is_shown)
            taken.push_back(1000);
        if (!found)
            return false;
        const std::uint32_t type = found.envelope().type();
        bool whole = true;
        for (std::uint32_t index = 0; index < found.envelope().length(); ++index)
            whole = whole && found.bytes()[index] == static_cast<std::byte>(type);
        if (found.memory() == nullptr)
            port.release(found);
        const explorer::Aside aside;
        taken.push_back(whole ? type : 1000);
        return true;
    }
    bool hold()
    {
        const Taken found = port.take(testing::lone_taker, 1);
        if (!found)
            return false;
        Message* const message = port.hold(testing::lone_taker, found);
        const explorer::Aside aside;
        held.push_back(message);
        return true;
    }
    // A held one has been received.
    void give_back(Message* message) { port.release({*message, message}); }
    // The other sender, 1, has put messages of types 3 and 104 while the first ended, and puts one more.
    std::string fault_of_others()
    {
        (void)send(1, 105);
        while (take()) { }
        for (const std::uint32_t type : {3, 104, 105})
            if (times(type) != 1)
                return "another's message is held up, lost or doubled";
        return times(1000) == 0 ? "" : "a message that was not whole came out, or nobody was told of the end";
    }
    // How often that type was taken.
    long times(std::uint32_t type) const { return std::count(taken.begin(), taken.end(), type); }
};

// One sender's messages are held for later until there is memory for two more, and those and another's come
// while they are held: one that finds no memory, or another's, shows. Meanwhile one of those that were held
// first may be given back.
explorer::Play messages_that_are_held(const testing::PortLeaf& leaf, bool one_is_given_back)
{
    auto scene = std::make_shared<Carrying>(leaf);
    for (unsigned type = 0; type + 1 < testing::places_of_a_sender(leaf); ++type) {
        (void)scene->send(0, 100 + type);
        scene->hold();
    }
    const std::size_t before = scene->held.size();
    Message* const given_back = one_is_given_back ? scene->held.front() : nullptr;
    scene->sent = 0;
    explorer::Play play;
    play.parties.push_back([scene] { (void)scene->send(0, 1), scene->send(0, 2), scene->send(0, 3); });
    play.parties.push_back([=] {
        if (given_back != nullptr)
            scene->give_back(given_back);
        else
            (void)scene->send(1, 4);
    });
    play.parties.push_back([scene] { scene->hold(), scene->hold(), scene->hold(); });
    play.check = [=]() -> std::string {
        while (scene->hold()) { }
        if (scene->held.size() != before + scene->sent)
            return "a message was lost or doubled";
        std::vector<std::uint32_t> types;
        for (std::size_t index = given_back != nullptr ? 1 : 0; index < scene->held.size(); ++index)
            types.push_back(scene->held[index]->type());
        std::sort(types.begin(), types.end());
        if (std::adjacent_find(types.begin(), types.end()) != types.end())
            return "two messages are held in one memory";
        return "";
    };
    return play;
}

// The first sender ends at any step of two messages, and is left; another's come in meanwhile and afterwards.
// Whatever the first has drawn holds nobody up. Both have sent before: what a port makes for a sender's first
// message is made before a slot is drawn, where no process ends.
explorer::Play a_sender_that_ends(const testing::PortLeaf& leaf, std::uint32_t type)
{
    auto scene = std::make_shared<Carrying>(leaf);
    for (const unsigned caller : {0, 1}) {
        (void)scene->send(caller, 110 + caller);
        (void)scene->take();
    }
    explorer::Play play;
    play.parties.push_back([=] { (void)scene->send(0, 1), scene->send(0, type); });
    play.parties.push_back([scene] { (void)scene->send(1, 3), scene->send(1, 104); });
    play.parties.push_back([scene] {
        explorer::end(0);
        (void)scene->port.leave(0);
    });
    play.check = [=]() -> std::string {
        if (const std::string fault = scene->fault_of_others(); !fault.empty())
            return fault;
        if (scene->times(1) > 1 || scene->times(type) > 1 || scene->times(type) > scene->times(1))
            return "the messages of the process that has ended came out wrong";
        return scene->port.leave(0) ? "it had something left to leave" : "";
    };
    return play;
}

// The first sender ends at any step of one message, perhaps when another has come behind it: what whoever
// leaves it sees of the other's step is older or newer than what it sees of the first's.
explorer::Play a_sender_that_ends_before_another(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Carrying>(leaf);
    for (const unsigned caller : {0, 1}) {
        (void)scene->send(caller, 110 + caller);
        (void)scene->take();
    }
    explorer::Play play;
    play.parties.push_back([scene] { (void)scene->send(0, 101); });
    play.parties.push_back([scene] { (void)scene->send(1, 102); });
    play.parties.push_back([scene] {
        explorer::end(0);
        (void)scene->port.leave(0);
    });
    play.check = [scene]() -> std::string {
        while (scene->take()) { }
        return scene->times(102) == 1 ? "" : "another's message is held up";
    };
    return play;
}

// The first sender ends while a source brings the bytes of its message. Another's come in before, meanwhile
// and afterwards. Where the source's class is not known, a short message has no place before its bytes are
// there (StagedBytes), so the message is as long as the port has room for; of one that has a place the port
// is told.
explorer::Play a_sender_that_ends_in_its_source(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Carrying>(leaf);
    auto step = std::make_shared<Atomic<unsigned>>(0);
    for (const unsigned caller : {0, 1}) {
        (void)scene->send(caller, 110 + caller);
        (void)scene->take();
    }
    explorer::Play play;
    const std::uint32_t length = leaf.fills_in_place ? scene->length : scene->port.room();
    play.parties.push_back([=] {
        (void)leaf.put_bytes(scene->port, 0, Envelope({}, 0).addressed(1, length, 0, 0), EndlessBytes(*step),
                             length);
    });
    play.parties.push_back([scene] { (void)scene->send(1, 3), scene->send(1, 104); });
    play.parties.push_back([=] {
        while (step->load() == 0)
            explorer::spin();
        explorer::end(0);
        if (scene->port.leave(0))
            scene->take();
        else if (leaf.fills_in_place || length > Carried::in_first_line)
            scene->taken.push_back(1000);
    });
    play.check = [=]() -> std::string {
        if (const std::string fault = scene->fault_of_others(); !fault.empty())
            return fault;
        return scene->times(1) != 0 || scene->port.leave(0) ? "it had something left to leave" : "";
    };
    return play;
}

// The bytes of a message cannot be read: it never comes, and the next one does.
explorer::Play a_message_that_cannot_be_read(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Carrying>(leaf);
    explorer::Play play;
    play.parties.push_back([=] {
        const Envelope envelope = Envelope({}, 0).addressed(1, scene->length, 0, 0);
        if (leaf.put_bytes(scene->port, 0, envelope, BadBytes(), scene->length) != Put::unreadable)
            ++scene->sent;
        (void)scene->send(0, 102);
    });
    play.parties.push_back([scene] { scene->take(), scene->take(); });
    play.check = [=]() -> std::string {
        while (scene->take()) { }
        return scene->sent == 1 && scene->taken == std::vector<std::uint32_t>{102}
                   ? ""
                   : "a message that could not be read came out, or the next one did not";
    };
    return play;
}

// The taker ends at any step: others go on behind it.
explorer::Play a_taker_that_ends(const testing::PortLeaf& leaf)
{
    auto scene = std::make_shared<Carrying>(leaf);
    (void)scene->send(1, 1), scene->send(1, 2);
    explorer::Play play;
    play.parties.push_back([=] { scene->take(), scene->take(); });
    play.parties.push_back([scene] { scene->send(1, 3); });
    play.parties.push_back([scene] {
        explorer::end(0);
        (void)scene->port.leave(0);
        while (scene->take()) { }
    });
    play.check = [=]() -> std::string {
        while (scene->take()) { }
        for (const std::uint32_t type : {1, 2, 3})
            if (scene->times(type) > 1)
                return "a message came out twice";
        return scene->times(3) == 1 && scene->times(1000) == 0 ? "" : "a message was lost, or was not whole";
    };
    return play;
}

} // namespace

TEST_CASE("a port lets in no more messages without memory than it can hold in any order of steps")
{
    testing::for_each_port_with_room<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        for (const bool one_is_given_back : {false, true}) {
            const auto outcome = explorer::explore({.preemptions = testing::briefly(2, 1)}, [=] {
                return messages_that_are_held(leaf, one_is_given_back);
            });
            CHECK(outcome.failure == "");
            CHECK(outcome.executions > 100);
        }
    });
}

TEST_CASE("a sender that ends at any step of a put holds nobody up")
{
    testing::for_each_port_with_room<PortLeaves>([](const testing::PortLeaf& leaf) {
        if (leaf.claims_under_lock)
            return;
        INFO(std::string(leaf.name));
        for (const std::uint32_t type : {2, 102}) {
            const auto outcome = explorer::explore({.preemptions = testing::briefly(3, 2)},
                                                   [=] { return a_sender_that_ends(leaf, type); });
            CHECK(outcome.failure == "");
            CHECK(outcome.executions > 100);
        }
    });
}

TEST_CASE("a sender that ends while a source brings its bytes holds nobody up")
{
    testing::for_each_port_with_room<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        for (const testing::PortLeaf& way : leaf.ways()) {
            const auto outcome = explorer::explore({.preemptions = testing::briefly(2, 1)},
                                                   [=] { return a_sender_that_ends_in_its_source(way); });
            CHECK(outcome.failure == "");
            CHECK(outcome.executions > 10);
        }
    });
}

TEST_CASE("a sender that ends is left wholly whatever older store is read, in any order of steps")
{
    testing::for_each_port_with_room<PortLeaves>([](const testing::PortLeaf& leaf) {
        if (leaf.claims_under_lock)
            return;
        INFO(std::string(leaf.name));
        const explorer::Options options{.preemptions = 1, .weak_executions = 0};
        CHECK(explorer::explore(options, [=] { return a_sender_that_ends_before_another(leaf); }).failure ==
              "");
    });
}

TEST_CASE("a message whose bytes cannot be read never comes out in every order of steps there is")
{
    testing::for_each_port_with_room<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        const explorer::Options options{.preemptions = explorer::unlimited};
        for (const testing::PortLeaf& way : leaf.ways())
            CHECK(explorer::explore(options, [=] { return a_message_that_cannot_be_read(way); }).failure ==
                  "");
    });
}

TEST_CASE("a taker that ends at any step holds nobody up")
{
    testing::for_each_port_with_room<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = testing::briefly(3, 2)}, [=] {
                  return a_taker_that_ends(leaf);
              }).failure == "");
    });
}

TEST_CASE("a port neither loses, doubles nor reorders in any order of steps")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        const auto outcome = explorer::explore({.preemptions = testing::briefly(3, 2)},
                                               [=] { return two_senders_and_a_taker(leaf); });
        CHECK(outcome.failure == "");
        CHECK(outcome.executions > 100);
    });
}

TEST_CASE("an owner that watches a port's word misses nothing in any order of steps")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        const auto outcome = explorer::explore({.preemptions = testing::briefly(2, 1)},
                                               [=] { return an_owner_that_watches(leaf); });
        CHECK(outcome.failure == "");
    });
}

TEST_CASE("a port hands on what one sender puts in every order of steps there is")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = explorer::unlimited}, [=] {
                  return a_sender_and_a_taker(leaf);
              }).failure == "");
    });
}

TEST_CASE("a nearly full port refuses rather than overwrites in any order of steps")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = 2}, [=] { return a_nearly_full_port(leaf); }).failure == "");
    });
}

TEST_CASE("a full port that gets room is filled behind whoever has read it")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO(std::string(leaf.name));
        CHECK(explorer::explore({.preemptions = 1}, [=] {
                  return a_full_port_that_gets_room(leaf);
              }).failure == "");
    });
}

TEST_CASE("the explorer finds a port that loses or reorders in some orders of steps only")
{
    const auto unlocked = explorer::explore(
        {}, [] { return two_senders_and_a_taker(testing::port_leaf<testing::UnlockedPort>); });
    CHECK(unlocked.failure.starts_with("a message was lost or doubled"));
    const auto reversing =
        explorer::explore({}, [] { return two_senders_and_a_taker(testing::port_leaf<testing::StackPort>); });
    CHECK(reversing.failure.starts_with("one sender's messages changed places"));
}

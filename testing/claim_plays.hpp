// SPDX-License-Identifier: MIT
// Plays that try how senders of a queue claim their slots in it, for the explorer: queues so short that
// senders want the same slot, and processes that end anywhere.
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/message/message.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/explorer.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made_port.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::testing {

using messaging::Envelope;
using messaging::Message;
using messaging::Port;
using messaging::PortParts;
using messaging::Taken;

// A port that is told numbers which no design can ask for.
template <class P, std::uint64_t... values>
constexpr PortLeaf tight{P::name, [](const PortParts& parts) {
                             return std::shared_ptr<Port>(std::make_shared<P>(parts, LeafValues{values...}));
                         }};

inline constexpr std::uint32_t long_bytes = Message::short_bytes + 1;
// Bytes of a message that a port with room carries in the slot itself.
inline constexpr std::uint32_t whole_bytes = 8;

// The bytes are the message's number.
class NumberAsBytes final : public messaging::Source {
public:
    explicit NumberAsBytes(std::uint64_t number) : number_(number) { }
    Result<void> fill(std::byte* room) const override
    {
        static_assert(sizeof number_ == whole_bytes);
        __builtin_memcpy(room, &number_, sizeof number_);
        explorer::step();
        return {};
    }
    static bool are_in(const Taken& taken, std::uint64_t number)
    {
        return __builtin_memcmp(taken.bytes(), &number, sizeof number) == 0;
    }

private:
    const std::uint64_t number_;
};

// A port, and which messages have been taken from it.
struct ClaimScene {
    explicit ClaimScene(const PortLeaf& leaf) : made(leaf) { }

    MadePort made;
    Port& port = *made;
    sched::ShortLock lock; // the mailbox's
    std::array<Message, 8> memory{};
    std::vector<std::uint32_t> taken;

    // Tries a message, which is the number of its memory.
    bool put(unsigned caller, std::uint32_t number, std::uint32_t length = 0)
    {
        const Envelope envelope = Envelope({}, 0).addressed(number, length, 0, 0);
        if (length == whole_bytes)
            return port.put_bytes(caller, envelope, NumberAsBytes(number)) == messaging::Put::in;
        return port.put(caller, envelope, &memory[number]);
    }
    // As a sender does: it takes what is there until the message is in.
    void send(unsigned caller, std::uint32_t number, std::uint32_t length = 0)
    {
        while (!put(caller, number, length))
            if (take_all() == 0)
                explorer::spin();
    }
    unsigned take_all(unsigned most = ~0u)
    {
        const sched::ShortGuard guard(lock);
        unsigned count = 0;
        for (; count < most; ++count) {
            const Taken found = port.take(testing::lone_taker, 0);
            if (!found)
                break;
            const std::uint32_t number = found.envelope().type();
            const bool is_right = found.envelope().length() == whole_bytes
                                      ? NumberAsBytes::are_in(found, number)
                                      : found.memory() == &memory[number % memory.size()];
            const explorer::Aside aside;
            taken.push_back(is_right ? number : 1000);
        }
        return count;
    }
    long position(std::uint32_t number) const
    {
        const auto at = std::ranges::find(taken, number);
        return at == taken.end() ? -1 : at - taken.begin();
    }
    long times(std::uint32_t number) const { return std::ranges::count(taken, number); }
};

// Two senders want more packets than there are, and take what they find, as the owner does.
inline explorer::Play a_queue_of_two(const PortLeaf& leaf, std::uint32_t length, bool keeps_order)
{
    auto scene = std::make_shared<ClaimScene>(leaf);
    explorer::Play play;
    play.parties.push_back([=] { scene->send(0, 0, length); });
    play.parties.push_back([=] { scene->send(1, 1, length), scene->send(1, 2, length); });
    play.parties.push_back([=] { scene->take_all(1), scene->take_all(1); });
    play.check = [=]() -> std::string {
        scene->take_all();
        for (const std::uint32_t number : {0, 1, 2})
            if (scene->times(number) != 1)
                return "a message was lost or doubled";
        if (scene->taken.size() != 3)
            return "a message came with another's memory or bytes";
        return keeps_order && scene->position(1) > scene->position(2) ? "a message overtook the one before it"
                                                                      : "";
    };
    return play;
}

// One sender puts so many messages, and takes what it finds, that the slots of the first come again while
// another is about to put one.
inline explorer::Play nodes_that_are_used_again(const PortLeaf& leaf)
{
    auto scene = std::make_shared<ClaimScene>(leaf);
    explorer::Play play;
    play.parties.push_back([=] {
        for (const std::uint32_t number : {0, 1, 2, 3})
            scene->send(0, number);
        scene->take_all();
    });
    play.parties.push_back([=] { scene->send(1, 4), scene->send(1, 5); });
    play.check = [=]() -> std::string {
        scene->take_all();
        for (const std::uint32_t number : {0, 1, 2, 3, 4, 5})
            if (scene->times(number) != 1)
                return "a message was lost or doubled";
        if (scene->taken.size() != 6)
            return "a message came with another's memory";
        for (const std::uint32_t number : {0, 1, 2, 4})
            if (scene->position(number) > scene->position(number + 1))
                return "a message overtook the one before it";
        return "";
    };
    return play;
}

// The first sender ends at any step of its messages, of which the second finds the queue full. The other goes
// on.
inline explorer::Play a_sender_that_ends(const PortLeaf& leaf, std::uint32_t length)
{
    auto scene = std::make_shared<ClaimScene>(leaf);
    explorer::Play play;
    play.parties.push_back([=] {
        for (const std::uint32_t number : {1, 2})
            (void)scene->put(0, number, length);
    });
    play.parties.push_back([=] { scene->send(1, 3, length); });
    play.parties.push_back([=] {
        explorer::end(0);
        (void)scene->port.leave(0);
        explorer::changed();
    });
    play.check = [=]() -> std::string {
        if (scene->port.leave(0))
            return "it had something left to leave";
        // Then comes a successor at its endpoint, and others.
        for (const std::uint32_t number : {7, 4, 5, 6})
            for (unsigned round = 0; !scene->put(number == 7 ? 0 : 1, number, length); ++round)
                if (scene->take_all() == 0 && round > 0)
                    return "another finds no room";
        scene->take_all();
        for (const std::uint32_t number : {3, 4, 5, 6, 7})
            if (scene->times(number) != 1)
                return "another's message is held up, lost or doubled";
        if (scene->times(1000) != 0 || scene->times(1) > 1 || scene->times(2) > 1)
            return "the messages of the process that has ended came out wrong";
        return "";
    };
    return play;
}

// One party ends in its take(), at any step, and then another takes the messages that are left.
inline explorer::Play a_taker_that_ends(const PortLeaf& leaf, std::uint32_t length)
{
    auto scene = std::make_shared<ClaimScene>(leaf);
    scene->send(1, 1, length);
    (void)scene->put(1, 2, length);
    explorer::Play play;
    play.parties.push_back([=] {
        (void)scene->port.take(testing::lone_taker, 0), (void)scene->port.take(testing::lone_taker, 0);
    });
    play.parties.push_back([=] { (void)scene->put(1, 3, 0); });
    play.parties.push_back([=] {
        explorer::end(0);
        (void)scene->port.leave(0);
        scene->take_all();
    });
    play.check = [=]() -> std::string {
        for (const std::uint32_t number : {4, 5, 6})
            for (unsigned round = 0; !scene->put(1, number, length); ++round)
                if (scene->take_all() == 0 && round > 0)
                    return "there is no room behind it";
        scene->take_all();
        for (const std::uint32_t number : {1, 2, 3})
            if (scene->times(number) > 1)
                return "a message came out twice";
        for (const std::uint32_t number : {4, 5, 6})
            if (scene->times(number) != 1)
                return "a message behind it is held up, lost or doubled";
        return scene->times(1000) == 0 ? "" : "a message came with another's memory";
    };
    return play;
}

// What is wrong in some order of a play's steps, or "".
inline std::string fault_in_orders(unsigned preemptions, const std::function<explorer::Play()>& make_play)
{
    const explorer::ExplorationOutcome outcome =
        explorer::explore({.preemptions = preemptions, .weak_executions = 1000}, make_play);
    return outcome.failure.empty() && outcome.executions < 10 ? "there is only one order" : outcome.failure;
}

} // namespace parley::testing

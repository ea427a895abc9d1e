// SPDX-License-Identifier: MIT
// What comes back to a sender or to a port, in every order of steps: messages of a pool whose owner has
// ended, deliveries that are counted while more are expected, and the slots of a reserve.
#include "messaging/completion.hpp"
#include "messaging/message/message_pool.hpp"
#include "messaging/port/reserve.hpp"
#include "messaging/status_word.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/lone_taker.hpp"

#include <array>
#include <memory>
#include <string>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr unsigned two = 2;

// A pool whose owner has ended: of its messages one is spare, and two come back from others, each of whom
// frees what has come back. The next owner's messages, of which it makes one meanwhile, get the slots of all
// of them.
struct EndedPool {
    static constexpr unsigned spare = 2, all = 3;

    EndedPool()
    {
        for (Message& message : messages)
            pool.adopt(message);
        pool.keep(messages[spare]);
    }
    void give_back(unsigned at)
    {
        pool.give_back(messages[at].slot());
        empty();
    }
    void close()
    {
        while (pool.give_up() != nullptr)
            ++freed;
        empty();
    }
    void empty()
    {
        pool.empty([this](MessageMemory& memory) {
            memory.opened().set_slot(0); // it is memory for anything
            ++freed;
        });
    }
    std::string fault()
    {
        if (freed != all)
            return "a message is freed twice, or not at all";
        unsigned slots = 0;
        for (Message& message : next_messages) {
            if (&message != &next_messages.front())
                pool.adopt(message);
            slots |= 1u << message.slot();
        }
        return slots == 0b1110 ? "" : "a slot is not free again, or two messages have one";
    }

    MessagePool pool;
    std::array<Message, all> messages{}, next_messages{};
    explorer::Noted<unsigned> freed = 0;
};

explorer::Play messages_come_back_to_one_that_has_ended()
{
    const auto scene = std::make_shared<EndedPool>();
    explorer::Play play;
    for (unsigned at = 0; at < two; ++at)
        play.parties.push_back([=] { scene->give_back(at); });
    play.parties.push_back([=] {
        scene->close();
        scene->pool.adopt(scene->next_messages.front());
    });
    play.check = [=] { return scene->fault(); };
    return play;
}

// The owner lives, and waits for two that others give back.
explorer::Play messages_come_back_to_one_that_waits()
{
    struct Scene {
        MessagePool pool;
        std::array<Message, two> messages{};
        explorer::Noted<bool> is_double = false;

        void await()
        {
            MessageMemory* first = nullptr;
            while ((first = pool.take()) == nullptr)
                explorer::spin();
            MessageMemory* second = nullptr;
            while ((second = pool.take()) == nullptr)
                explorer::spin();
            is_double = first == second;
        }
    };
    const auto scene = std::make_shared<Scene>();
    for (Message& message : scene->messages)
        scene->pool.adopt(message);
    explorer::Play play;
    for (const Message& message : scene->messages)
        play.parties.push_back([=, slot = message.slot()] { scene->pool.give_back(slot); });
    play.parties.push_back([=] { scene->await(); });
    play.check = [=] { return scene->is_double ? "a message comes back twice" : ""; };
    return play;
}

// One message comes back while its owner's status changes.
struct OneComesBack {
    OneComesBack() { pool.adopt(message); }
    void give_back() { pool.give_back(slot); }
    void free_all()
    {
        pool.empty([this](MessageMemory&) { ++freed; });
    }

    MessagePool pool;
    StatusWord status;
    Message message{};
    const std::uint32_t slot = 1;
    explorer::Noted<bool> is_found = false, is_told = false;
    explorer::Noted<unsigned> freed = 0;
};

// The owner wants one, and then looks for it: it finds it, or whoever gives it back sees that.
explorer::Play a_message_comes_back_to_one_that_wants_it()
{
    const auto scene = std::make_shared<OneComesBack>();
    explorer::Play play;
    play.parties.push_back([=] {
        scene->status.set_wants_budget(true);
        scene->is_found = scene->pool.find_next();
    });
    play.parties.push_back([=] {
        scene->give_back();
        scene->is_told = scene->status.wants_returns();
    });
    play.check = [=] { return scene->is_found || scene->is_told ? "" : "its owner waits for ever"; };
    return play;
}

// The owner ends: it frees what has come back, or whoever gives it back sees that and does.
explorer::Play a_message_comes_back_to_one_that_ends()
{
    const auto scene = std::make_shared<OneComesBack>();
    explorer::Play play;
    play.parties.push_back([=] {
        scene->status.set_state(EndpointState::ended);
        scene->free_all();
    });
    play.parties.push_back([=] {
        scene->give_back();
        if (scene->status.state() != EndpointState::live)
            scene->free_all();
    });
    play.check = [=] { return scene->freed == 1 ? "" : "it is freed twice, or not at all"; };
    return play;
}

// While two are counted its owner expects a third: it is reached when that has been counted, too.
explorer::Play deliveries_are_counted_while_more_are_expected()
{
    struct Scene {
        Completion completion;
        explorer::Noted<bool> too_early = false;
    };
    const auto scene = std::make_shared<Scene>();
    scene->completion.expect(two);
    explorer::Play play;
    for (unsigned party = 0; party < two; ++party)
        play.parties.push_back([=] { scene->completion.count(); });
    play.parties.push_back([=] {
        scene->completion.expect(1);
        scene->too_early = scene->completion.is_reached();
        scene->completion.count();
    });
    play.check = [=]() -> std::string {
        if (scene->too_early)
            return "it is reached before the last has been counted";
        return scene->completion.is_reached() ? "" : "it is never reached";
    };
    return play;
}

// Two give slots back while the taker waits for one of them: it gets one that is free, and all are in the
// end.
explorer::Play places_come_back()
{
    struct Scene {
        Reserve<SlotsInPort<two>> reserve;
        std::array<Message*, two> held{&reserve.take(testing::lone_taker),
                                       &reserve.take(testing::lone_taker)};
        std::array<int, two> used{};
        explorer::Noted<bool> is_another = false;

        void give_back(unsigned at)
        {
            ++used[at]; // which whoever takes the slot sees
            reserve.give_back(*held[at]);
        }
        void take()
        {
            while (reserve.spare() == 0)
                explorer::spin();
            if (Message* const taken = take_one())
                reserve.give_back(*taken);
        }
        Message* take_one()
        {
            Message* const taken = &reserve.take(testing::lone_taker);
            if (taken != held[0] && taken != held[1]) {
                is_another = true;
                return nullptr;
            }
            ++used[taken == held[1]];
            return taken;
        }
    };
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    for (unsigned at = 0; at < two; ++at)
        play.parties.push_back([=] { scene->give_back(at); });
    play.parties.push_back([=] { scene->take(); });
    play.check = [=]() -> std::string {
        if (scene->is_another)
            return "a slot is taken that is not there";
        if (scene->reserve.spare() != two)
            return "a slot is lost";
        for (unsigned at = 0; at < two; ++at)
            scene->take_one();
        return scene->is_another ? "a slot that is given back is not free" : "";
    };
    return play;
}

std::string fault(explorer::Play (*make_play)())
{
    return explorer::explore({.preemptions = explorer::unlimited}, make_play).failure;
}

} // namespace

TEST_CASE("what comes back to a pool whose owner has ended is freed once in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, messages_come_back_to_one_that_has_ended).failure == "");
}

TEST_CASE(
    "a completion is reached when all that is expected has been counted in every order of steps there is")
{
    CHECK(fault(deliveries_are_counted_while_more_are_expected) == "");
}

TEST_CASE("a slot of a reserve that is given back is free in every order of steps there is")
{
    CHECK(fault(places_come_back) == "");
}

TEST_CASE("what comes back to a pool is its owner's in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, messages_come_back_to_one_that_waits).failure == "");
}

TEST_CASE(
    "a message that comes back is found by its owner, who waits or ends, in every order of steps there is")
{
    CHECK(fault(a_message_comes_back_to_one_that_wants_it) == "");
    CHECK(fault(a_message_comes_back_to_one_that_ends) == "");
}

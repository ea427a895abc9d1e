// SPDX-License-Identifier: MIT
// What a LanesPort has alone, in every order of steps: lanes that are made at the same slot, taken over and
// given back, and senders that share.
#include "messaging/port/lanes/lanes.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made_port.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t lane_bytes = std::bit_ceil(sizeof(Lane));

// These senders begin their search at the slot of sender 1.
constexpr unsigned meets_1 = 1 + 64, meets_1_too = 1 + 2 * 64;

struct Scene {
    explicit Scene(std::size_t bytes = testing::MadePort::usual_bytes)
        : most_lanes(bytes / 2 / lane_bytes), made(testing::port_leaf<LanesPort>, bytes)
    {
    }

    const unsigned most_lanes;
    testing::MadePort made;
    Port& port = *made;
    sched::ShortLock lock; // the mailbox's
    std::array<Message, 5> memory{};
    std::vector<std::uint32_t> taken;

    bool send(unsigned caller, std::uint32_t type) { return put(caller, type, nullptr); }
    void send_with_memory(unsigned caller, std::uint32_t type) { (void)put(caller, type, &memory[type]); }
    bool put(unsigned caller, std::uint32_t type, MessageMemory* own)
    {
        return port.put(caller, Envelope({}, 0).addressed(type, 0, 0, 0), own);
    }
    bool take()
    {
        const Taken found = port.take(testing::lone_taker, 0);
        if (!found)
            return false;
        const std::uint32_t type = found.envelope().type();
        const explorer::Aside aside;
        taken.push_back(type);
        return true;
    }
    void take_locked()
    {
        const sched::ShortGuard guard(lock);
        take();
    }
    // Both are of the owner, who has the lock.
    Message* hold_next() { return port.hold(testing::lone_taker, port.take(testing::lone_taker, 0)); }
    void give_back(Message* held)
    {
        port.release({*held, held});
        use_free_memory();
    }
    // When nobody has a lane, another has all the memory.
    void use_free_memory()
    {
        BuddyHeap& heap = made.heap();
        if (heap.taken_units() != 0)
            return;
        if (const Result<std::byte*> another = heap.allocate(lane_bytes)) {
            volatile std::byte* const address = *another;
            for (std::size_t at = 0; at < lane_bytes; at += sizeof(std::uint64_t))
                address[at] = std::byte{1};
            heap.release(*another);
        }
    }
    // As Mailbox::empty() does when the owner is no more.
    void empty()
    {
        const sched::ShortGuard guard(lock);
        while (take()) { }
        port.clear(testing::lone_taker);
    }
    // A sender is no more, and neither is the owner.
    void end(unsigned caller)
    {
        if (port.leave(caller))
            empty();
    }
    // From sender 2 on, each in a slot of its own.
    void begin_lanes(unsigned count)
    {
        for (unsigned caller = 2; caller < 2 + count; ++caller) {
            (void)send(caller, 0);
            take();
        }
        taken.clear();
    }
    std::string fault_in_what_was_taken(std::initializer_list<std::uint32_t> types)
    {
        if (!std::ranges::is_permutation(taken, types))
            return "a message is lost or doubled";
        return made.heap().used_units() == 0 ? "" : "a lane that nobody uses is not given back";
    }
    bool came_in_order(std::uint32_t first, std::uint32_t second)
    {
        return std::ranges::find(taken, first) < std::ranges::find(taken, second);
    }
};

// Messages of a sender that is no more are held, and the owner holds one more before it is no more either:
// whoever is the last to let go gives the lane back. Its memory is another's then.
explorer::Play a_lane_is_given_back()
{
    auto scene = std::make_shared<Scene>();
    for (std::uint32_t type = 0; type < 3; ++type)
        (void)scene->send(1, type);
    explorer::Play play;
    for (int each = 0; each < 2; ++each)
        play.parties.push_back([=, held = scene->hold_next()] { scene->give_back(held); });
    play.parties.push_back([=] {
        Message* const held = scene->hold_next();
        scene->end(1);
        scene->give_back(held);
    });
    play.check = [=] { return scene->fault_in_what_was_taken({}); };
    return play;
}

// The port's owner is no more, and what its sender has left is given back, while the sender ends.
explorer::Play a_sender_ends_after_the_owner()
{
    auto scene = std::make_shared<Scene>();
    (void)scene->send(1, 0);
    explorer::Play play;
    play.parties.push_back([=] { scene->empty(); });
    play.parties.push_back([=] { scene->end(1); });
    play.check = [=] { return scene->fault_in_what_was_taken({0}); };
    return play;
}

// The port's owner is no more, and so is sender 1, whose lane is empty. It is given back while `next` puts a
// message: the sender's successor, or one that wants its slot. That one sees that the owner is no more, and
// empties the port; or it ends before it comes to that, and whoever has ended it does.
explorer::Play a_message_comes_while_a_lane_is_given_back(unsigned next, bool ends)
{
    auto scene = std::make_shared<Scene>();
    (void)scene->send(1, 0);
    scene->take();
    (void)scene->port.leave(1);
    scene->taken.clear();
    explorer::Play play;
    play.parties.push_back([=] { scene->empty(); });
    play.parties.push_back([=] {
        (void)scene->send(next, 1);
        if (ends)
            scene->end(next);
        else
            scene->empty();
    });
    play.check = [=] {
        scene->end(next);
        return scene->fault_in_what_was_taken({1});
    };
    return play;
}

// Two senders' first messages, which want the same slot, and a taker. There is memory for so many lanes
// more: who finds none shares.
explorer::Play two_begin(unsigned lanes_left)
{
    auto scene = std::make_shared<Scene>();
    scene->begin_lanes(scene->most_lanes - lanes_left);
    explorer::Play play;
    play.parties.push_back([=] { scene->send_with_memory(meets_1, 1), scene->send_with_memory(meets_1, 2); });
    play.parties.push_back(
        [=] { scene->send_with_memory(meets_1_too, 3), scene->send_with_memory(meets_1_too, 4); });
    play.parties.push_back([=] { scene->take_locked(), scene->take_locked(); });
    play.check = [=]() -> std::string {
        while (scene->take()) { }
        if (!std::ranges::is_permutation(scene->taken, std::initializer_list<std::uint32_t>{1, 2, 3, 4}))
            return "a message is lost or doubled";
        if (!scene->came_in_order(1, 2) || !scene->came_in_order(3, 4))
            return "one sender's messages changed places";
        scene->end(2);
        for (const unsigned caller : {meets_1, meets_1_too})
            if (lanes_left == 0 && scene->send(caller, 0))
                return "who shares has a lane when there is memory again";
        return "";
    };
    return play;
}

// All slots have lanes. Two senders find none, and so both share. The first has only tried a message without
// memory; the other's finds whoever takes after it has been put.
explorer::Play two_find_no_slot()
{
    static constexpr unsigned slots = 63;
    struct Full : Scene {
        Full() : Scene(2 * slots * lane_bytes) { }

        explorer::Noted<bool> has_found = false;

        void send_and_take()
        {
            send_with_memory(meets_1_too, 1);
            has_found = take();
        }
    };
    auto scene = std::make_shared<Full>();
    scene->begin_lanes(slots);
    explorer::Play play;
    play.parties.push_back([=] { (void)scene->send(meets_1, 0); });
    play.parties.push_back([=] { scene->send_and_take(); });
    play.check = [=] { return scene->has_found ? "" : "a message that has been put is not found"; };
    return play;
}

std::string fault(unsigned preemptions, const std::function<explorer::Play()>& make_play,
                  explorer::Model memory = explorer::Model::each)
{
    const explorer::ExplorationOutcome outcome =
        explorer::explore({.preemptions = preemptions, .memory = memory, .weak_executions = 1000}, make_play);
    return outcome.failure.empty() && outcome.executions < 10 ? "there is only one order" : outcome.failure;
}

} // namespace

TEST_CASE("a lane is given back by the last who uses it in any order of steps")
{
    CHECK(fault(2, a_lane_is_given_back) == "");
    CHECK(fault(2, a_sender_ends_after_the_owner) == "");
}

TEST_CASE("a message that comes while a lane is given back is found in any order of steps")
{
    for (const bool ends : {false, true})
        for (const unsigned next : {1u, meets_1})
            CHECK(fault(2, [=] { return a_message_comes_while_a_lane_is_given_back(next, ends); }) == "");
}

TEST_CASE("two senders that begin at one slot have lanes, or share, in any order of steps")
{
    for (const unsigned lanes_left : {2, 1, 0})
        CHECK(fault(1, [=] { return two_begin(lanes_left); }) == "");
}

TEST_CASE("a message of one that finds no slot is there once it has been put in any order of steps")
{
    CHECK(fault(0, two_find_no_slot, explorer::Model::weak) == "");
}

// SPDX-License-Identifier: MIT
// What a mailbox's owner and a sender do with its receives, in every order of steps: the sender matches one
// while the owner has another matched again, or hears of it.
#include "messaging/mailbox.hpp"
#include "messaging/message/message.hpp"
#include "messaging/port/locked.hpp"
#include "sched/synchronization/spinlock.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <array>
#include <memory>
#include <string>

using namespace parley;
using namespace parley::messaging;

namespace {

// Two posted receives, each of which wants the messages of its own type.
struct Scene {
    static constexpr unsigned owner_number = 0, sender_number = 1;

    Scene()
    {
        for (std::size_t type = 0; type < receives.size(); ++type) {
            receives[type].selector.types = static_cast<std::int32_t>(type);
            receives[type].maximum = 1;
            (void)mailbox.post(receives[type]);
        }
    }
    void put(std::uint32_t type)
    {
        (void)mailbox.put(sender_number, Envelope({1, 0}, 1).addressed(type, 0, 0, 0), &messages[type]);
        owner.announce();
    }

    sched::SpinlockSynchronization spinlock;
    Synchronization& synchronization = spinlock;
    WaitRecord record;
    Waiter<> owner{synchronization, record, {owner_number, nullptr}};
    Party sender{sender_number, nullptr};
    LockedPort locked;
    Port& port = locked;
    Mailbox<> mailbox{port, owner};
    std::array<Receive, 2> receives{};
    std::array<Message, 2> messages{};
    explorer::Noted<bool> is_unheard = false;
};

explorer::Play one_is_matched_again_while_another_is_matched()
{
    const auto scene = std::make_shared<Scene>();
    scene->put(0);
    (void)scene->mailbox.look_into_port();
    Receive* const first = scene->mailbox.next_matched().value_or(nullptr);
    scene->put(1);
    explorer::Play play;
    play.parties.push_back([=] { scene->mailbox.match_again(*first); });
    play.parties.push_back([=] { (void)scene->mailbox.drain(scene->sender); });
    play.check = [=]() -> std::string {
        unsigned matched = 0;
        while (scene->mailbox.next_matched().value_or(nullptr) != nullptr)
            ++matched;
        return matched == scene->receives.size() ? "" : "a receive that has its message is lost";
    };
    return play;
}

explorer::Play the_owner_hears_of_one_that_is_matched()
{
    const auto scene = std::make_shared<Scene>();
    scene->owner.status().set_notification(Notification::armed);
    (void)scene->mailbox.watch(scene->receives[0]);
    scene->put(0);
    explorer::Play play;
    play.parties.push_back([=] { (void)scene->mailbox.drain(scene->sender); });
    play.parties.push_back([=] {
        if (scene->owner.status().notification() == Notification::pending)
            scene->is_unheard = !scene->mailbox.has_matched();
    });
    play.check = [=] { return scene->is_unheard ? "the owner is told of what it does not find" : ""; };
    return play;
}

std::string fault(explorer::Play (*make_play)())
{
    return explorer::explore({.preemptions = explorer::unlimited}, make_play).failure;
}

} // namespace

TEST_CASE(
    "a receive that is matched again and one that is matched are both there in every order of steps there is")
{
    CHECK(fault(one_is_matched_again_while_another_is_matched) == "");
}

TEST_CASE("whoever is interrupted for a receive finds it matched in every order of steps there is")
{
    CHECK(fault(the_owner_hears_of_one_that_is_matched) == "");
}

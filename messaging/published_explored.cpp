// SPDX-License-Identifier: MIT
// What one process writes and another reads without a lock, in every order of steps: the end of a receive,
// and the record of a wait.
#include "messaging/receive.hpp"
#include "messaging/wait_record.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::messaging;

namespace {

// Another process has a receive fail; its owner, who sees that, knows why.
explorer::Play a_receive_fails()
{
    struct Scene {
        Receive receive;
        explorer::Noted<bool> is_wrong = false;
    };
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([=] { scene->receive.fail(Error::closed); });
    play.parties.push_back([=] {
        if (scene->receive.has_ended())
            scene->is_wrong = scene->receive.error != Error::closed;
    });
    play.check = [=] { return scene->is_wrong ? "its owner does not know why" : ""; };
    return play;
}

// A process waits; a monitor that sees it wait knows what for, and since when.
explorer::Play a_wait_is_recorded()
{
    static constexpr std::uint32_t since = 5;
    static constexpr long type = 7;
    struct Scene {
        WaitRecord record;
        explorer::Noted<bool> is_wrong = false;
    };
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([=] { scene->record.begin({WaitReason::message, type, 0, -1}, since, false); });
    play.parties.push_back([=] {
        if (scene->record.epoch.load(std::memory_order_acquire) % 2 == 1)
            scene->is_wrong = scene->record.seen.load(std::memory_order_relaxed) != since ||
                              scene->record.type.load(std::memory_order_relaxed) != type;
    });
    play.check = [=] { return scene->is_wrong ? "a monitor sees a wait and not what it is for" : ""; };
    return play;
}

std::string fault(explorer::Play (*make_play)())
{
    return explorer::explore({.preemptions = explorer::unlimited}, make_play).failure;
}

} // namespace

TEST_CASE("the owner of a receive that another has fail knows why in every order of steps there is")
{
    CHECK(fault(a_receive_fails) == "");
}

TEST_CASE("who sees a process wait knows what for in every order of steps there is")
{
    CHECK(fault(a_wait_is_recorded) == "");
}

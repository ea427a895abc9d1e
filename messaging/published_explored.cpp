// SPDX-License-Identifier: MIT
// What one process writes and another reads without a lock, in every order of steps: the end of a receive,
// the record of a wait, and that there is a process again.
#include "messaging/composition.hpp"
#include "messaging/receive.hpp"
#include "messaging/wait_record.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/mapped_memory.hpp"

#include "platform.hpp"

#include <memory>
#include <stdexcept>

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

// A process is cut off in a wait, and another begins at its endpoint. A monitor that looks then and finds the
// old wait at two looks would take the new process for one that waits for ever.
explorer::Play a_process_follows_one_that_waited()
{
    struct Scene {
        Scene()
        {
            messaging::Design design;
            if (!parse_design("exp4", design).empty())
                throw std::invalid_argument("exp4");
            const auto made = create(memory.start(), memory.bytes(), {design, 1, 1, {0, page_bytes, false}});
            if (!made)
                throw std::runtime_error("the system cannot be made");
            system = *made;
            platform::explored::begin();
        }
        const WaitRecord& record() const { return system->records()[0]; }

        testing::MappedMemory memory{1 << 20};
        MessageSystem* system = nullptr;
        Atomic<unsigned> is_closed{0};
        explorer::Noted<bool> is_wrong = false;
    };
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([=] {
        const parley_calls calls = scene->system->calls_of(0);
        const ReceiveArguments any{-1, 0, 0, 0, 0};
        (void)calls.receive(calls.self, &any);
    });
    play.parties.push_back([=] {
        while (scene->record().epoch.load() % 2 == 0)
            explorer::spin();
        explorer::end(0);
        scene->system->close(0, EndpointState::killed);
        scene->is_closed.store(1);
        scene->system->open(0);
    });
    play.parties.push_back([=] {
        while (scene->is_closed.load() == 0)
            explorer::spin();
        std::uint32_t epochs[2];
        bool waits = true;
        for (std::uint32_t& epoch : epochs) {
            epoch = scene->record().epoch.load(std::memory_order_acquire);
            const EndpointState state = scene->record().state.load(std::memory_order_acquire);
            waits = waits && epoch % 2 == 1 && state == EndpointState::live;
        }
        scene->is_wrong = waits && epochs[0] == epochs[1];
    });
    play.check = [=] { return scene->is_wrong ? "a process that has just begun seems to wait" : ""; };
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

TEST_CASE("a process that follows one that was cut off in a wait is not seen to wait in any order of steps")
{
    const explorer::Options options{.preemptions = 1, .weak_executions = 200};
    CHECK(explorer::explore(options, a_process_follows_one_that_waited).failure == "");
}

// SPDX-License-Identifier: MIT
// What a CarryingPort has alone, in every order of steps: the table of who has drawn which number, and
// entries that are filled again when they have been read.
#include "messaging/port/carrying/carrying.hpp"
#include "messaging/sources.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/exploring/one_step.hpp"
#include "testing/lone_taker.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr unsigned first = 0, another = 1, third = 2;

// The sender ends while it fills its entry.
struct SenderEnded { };

struct Scene {
    CarryingPort port;
    explorer::Noted<unsigned> sent_by_others = 0, taken_of_others = 0;

    void send(unsigned caller)
    {
        // As a short way does: at once, and otherwise if that puts nothing.
        const bool is_in = port.put_at_once(caller, of(caller, 0), NoBytes()) == Put::in ||
                           port.put(caller, of(caller, 0), nullptr);
        if (is_in && caller != first)
            ++sent_by_others;
    }
    bool take()
    {
        Taken taken = port.take_at_once(testing::lone_taker, true);
        if (!taken)
            taken = port.take(testing::lone_taker, 0);
        if (taken && taken.envelope().source() != first)
            ++taken_of_others;
        return static_cast<bool>(taken);
    }
    // The port goes round once, if nothing in it holds it up: the number that is drawn next has the entry
    // that the last one had.
    void go_round()
    {
        const explorer::OneStep all;
        for (std::uint32_t number = 1; number < CarryingPort::capacity; ++number) {
            while (take()) { }
            send(first);
        }
        while (take()) { }
    }
    // The first sender ends in the middle of a message, when another has been put behind that. It is too long
    // for its bytes to come to a stack before a number is drawn.
    void end_in_a_message()
    {
        class Bytes final : public Source {
        public:
            explicit Bytes(Scene& scene) : scene_(scene) { }
            Result<void> fill(std::byte*) const override
            {
                const explorer::OneStep all;
                scene_.send(third);
                throw SenderEnded();
            }

        private:
            Scene& scene_;
        };
        try {
            (void)port.put_bytes(first, of(first, 48), Bytes(*this));
        } catch (const SenderEnded&) {
        }
    }

private:
    static Envelope of(unsigned caller, std::uint32_t length)
    {
        return Envelope({}, static_cast<std::uint16_t>(caller)).addressed(0, length, 0, 0);
    }
};

// A sender notes for the first one what that has drawn, and goes on with it a whole lap later, when the first
// has noted in the same slot what it has drawn last. The first one ends there: that entry is void all the
// same, and what stands behind it comes out.
explorer::Play a_lap_while_another_takes_its_note()
{
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->send(first);
        scene->go_round();
        scene->end_in_a_message();
    });
    play.parties.push_back([scene] { scene->send(another); });
    play.check = [scene]() -> std::string {
        (void)scene->port.leave(first);
        while (scene->take()) { }
        return scene->taken_of_others == scene->sent_by_others ? "" : "another's message is held up";
    };
    return play;
}

// A port as full as it may be with messages that it has whole. Two are read, and of the two that are sent
// then the second fills the entry that was read first: whoever fills it must know that it has been read.
explorer::Play a_lap_behind_what_is_read()
{
    auto scene = std::make_shared<Scene>();
    while (scene->port.put(first, Envelope({}, first), nullptr)) { }
    explorer::Play play;
    play.parties.push_back([scene] { (void)scene->take(), (void)scene->take(); });
    play.parties.push_back([scene] { scene->send(another), scene->send(another); });
    play.check = [scene]() -> std::string {
        while (scene->take()) { }
        return scene->taken_of_others == scene->sent_by_others ? "" : "a message is lost";
    };
    return play;
}

// A sender asks for its limit before any message is taken, and learns what is spare when the whole reserve is
// in use: its owner has come in between and keeps all that there is, with one more that a third has put.
explorer::Play a_limit_from_before_the_first_is_taken()
{
    auto scene = std::make_shared<Scene>();
    while (scene->port.put(first, Envelope({}, first), nullptr)) { }
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(another); });
    play.parties.push_back([scene] {
        const explorer::OneStep all;
        Taken taken = scene->port.take(testing::lone_taker, 0);
        scene->send(third);
        for (; taken; taken = scene->port.take(testing::lone_taker, 0))
            (void)scene->port.hold(testing::lone_taker, taken);
    });
    play.check = [scene]() -> std::string {
        return scene->sent_by_others <= 1 ? "" : "a message is put that nobody can keep";
    };
    return play;
}

} // namespace

TEST_CASE("a sender that has looked before the first was taken puts no more than can be held in any order")
{
    CHECK(explorer::explore({.preemptions = 2}, a_limit_from_before_the_first_is_taken).failure == "");
}

TEST_CASE("an entry is filled again by who knows that it was read in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_lap_behind_what_is_read).failure == "");
}

TEST_CASE("a note of who has drawn a number is not undone by one of a lap before in any order of steps")
{
    const explorer::Options options{.preemptions = 2, .memory = explorer::Model::sequential};
    const explorer::ExplorationOutcome outcome =
        explorer::explore(options, a_lap_while_another_takes_its_note);
    CHECK(outcome.failure == "");
    CHECK(outcome.executions > 50);
}

// SPDX-License-Identifier: MIT
#include "native/nxrun/turn_order.hpp"
#include "testing/catch.hpp"

#include <set>
#include <string>

using namespace parley::native;
using namespace std::chrono_literals;

namespace {

using Kind = TurnMessage::Kind;

// Jobs with slices of 10 ms; what the order tells them is written down: "go 1" or "halt 1", each with a blank
// behind it.
struct Scene {
    TurnOrder<Scene> order{*this};
    TurnClock::time_point now = TurnClock::time_point{} + 1h;
    std::set<int> stopped, ranks_stopped;
    std::string told;

    void say(int member, Kind kind)
    {
        told += (kind == Kind::go ? "go " : "halt ") + std::to_string(member) + " ";
    }
    bool is_stopped(int member) const { return stopped.contains(member); }
    void stop_ranks(int member) { ranks_stopped.insert(member); }

    void join(int member, std::initializer_list<unsigned> processors) { join_since(member, processors, now); }
    void join_since(int member, std::initializer_list<unsigned> processors, TurnClock::time_point since)
    {
        TurnMessage message;
        message.kind = Kind::join;
        message.slice_milliseconds = 10;
        message.since = since;
        for (const unsigned processor : processors)
            message.processors.set(processor);
        order.add(member);
        order.receive(member, message, now);
        order.give_turns(now);
    }
    void halted(int member)
    {
        TurnMessage message;
        message.kind = Kind::halted;
        order.receive(member, message, now);
        order.give_turns(now);
    }
    void go_by(std::chrono::milliseconds time)
    {
        now += time;
        order.look(now);
        order.give_turns(now);
    }
    // What it has told since the last time.
    std::string news()
    {
        std::string news;
        std::swap(news, told);
        return news;
    }
    bool rests() const { return order.next_look(now) == TurnClock::time_point::max(); }
};

} // namespace

TEST_CASE("a turn lasts until its slice is over and another wants the processor")
{
    Scene scene;
    scene.join(1, {0});
    CHECK(scene.news() == "go 1 ");
    CHECK(scene.rests());
    scene.go_by(1h);
    CHECK(scene.news() == "");
    scene.join(2, {0});
    CHECK(scene.order.next_look(scene.now) <= scene.now); // its slice has long been over
    scene.go_by(1ms);
    CHECK(scene.news() == "halt 1 ");
    scene.halted(1);
    CHECK(scene.news() == "go 2 ");
    CHECK(scene.order.next_look(scene.now) == scene.now + 10ms);
    scene.go_by(9ms);
    CHECK(scene.news() == "");
    scene.go_by(1ms);
    CHECK(scene.news() == "halt 2 ");
}

TEST_CASE("whoever has waited longest is next, and nobody overtakes it")
{
    Scene scene;
    scene.join(1, {0});
    scene.join_since(2, {0, 1}, scene.now - 2s);
    scene.join_since(3, {0}, scene.now - 3s); // it has waited under a keeper that has ended
    scene.join(4, {1});                       // free, but 2 waits for it, too
    scene.join(5, {2});
    CHECK(scene.news() == "go 1 go 5 ");
    scene.go_by(10ms);
    CHECK(scene.news() == "halt 1 ");
    scene.halted(1); // and waits from now on
    CHECK(scene.news() == "go 3 ");
    scene.go_by(10ms);
    scene.halted(3);
    CHECK(scene.news() == "halt 3 go 2 ");
    scene.go_by(10ms);
    scene.halted(2);
    CHECK(scene.news() == "halt 2 go 4 go 1 ");
}

TEST_CASE("a turn is nobody else's before its job has halted or gone")
{
    Scene scene;
    scene.join(1, {0});
    scene.join(2, {0});
    scene.join(3, {0});
    scene.go_by(10ms);
    CHECK(scene.news() == "go 1 halt 1 ");
    scene.go_by(1s); // it is looked at, and is not stopped
    CHECK(scene.news() == "");
    scene.order.remove(1);
    scene.order.give_turns(scene.now);
    CHECK(scene.news() == "go 2 ");
    scene.order.remove(2);
    scene.order.give_turns(scene.now);
    CHECK(scene.news() == "go 3 ");
    scene.order.remove(3);
    CHECK(scene.order.empty());
}

TEST_CASE("a job that is stopped in its turn loses it, and waits again when it answers")
{
    Scene scene;
    scene.join(1, {0});
    scene.join(2, {0});
    scene.stopped = {1};
    scene.go_by(10ms);
    CHECK(scene.news() == "go 1 halt 1 ");
    CHECK(scene.order.next_look(scene.now) > scene.now);
    CHECK_FALSE(scene.rests());
    scene.go_by(20ms);
    CHECK(scene.ranks_stopped == std::set{1});
    CHECK(scene.news() == "go 2 ");
    CHECK(scene.rests()); // nobody is kept waiting by 2
    scene.stopped = {};
    scene.halted(1);
    scene.go_by(10ms);
    CHECK(scene.news() == "halt 2 ");
    scene.halted(2);
    CHECK(scene.news() == "go 1 ");
}

TEST_CASE("a job that is stopped while it waits is passed over, is asked once, and keeps nobody from a turn")
{
    Scene scene;
    scene.join(1, {0});
    scene.join(2, {0});
    scene.join(3, {0});
    scene.stopped = {2};
    scene.go_by(10ms);
    scene.halted(1);
    CHECK(scene.news() == "go 1 halt 1 halt 2 go 3 ");
    scene.go_by(10ms);
    scene.halted(3);
    CHECK(scene.news() == "halt 3 go 1 ");
    scene.order.remove(3);
    CHECK(scene.rests());
    scene.stopped = {};
    scene.halted(2);
    scene.go_by(10ms);
    scene.halted(1);
    CHECK(scene.news() == "halt 1 go 2 ");
}

TEST_CASE("what a job has said before it went changes nothing when it is heard afterwards")
{
    Scene scene;
    scene.join(1, {0});
    scene.order.remove(1);
    TurnMessage late;
    late.kind = Kind::join;
    late.processors.set();
    scene.order.receive(1, late, scene.now);
    scene.join(2, {0});
    CHECK(scene.news() == "go 1 go 2 ");
    CHECK(scene.rests());
}

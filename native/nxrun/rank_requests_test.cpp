// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_requests.hpp"

#include "interface/proxies.h"
#include "interface/senders.h"
#include "testing/catch.hpp"

#include <cstring>

using namespace parley;
using namespace parley::native;

namespace {

constexpr unsigned host = 2;

// Two nodes and a host, which runs. Answers and orders are written down as they come.
struct Scene final : RankRequests::Machinery {
    Places places{{.nodes = 2, .host = true}, 0};
    parley_native_place starts[3]{};
    Record record;
    RankRequests requests{places, starts, "/bin/sh", record, *this};
    std::string log;
    unsigned most = 2; // that can be started

    Scene()
    {
        const LockGuard guard(places.roster().lock());
        places.roster().begin(host);
    }

    bool start(Place& place) override
    {
        log += "start " + std::to_string(place.endpoint) + " " + place.command.back() + "; ";
        return most-- > 0;
    }
    void kill_rank(Place& place, bool successor_receives) override
    {
        log += "kill " + std::to_string(place.endpoint) + (successor_receives ? " kept; " : "; ");
    }
    void answer(Place& place, unsigned number, long value, unsigned long sender) override
    {
        log += std::to_string(place.endpoint) + ":" + std::to_string(number) + " " + std::to_string(value) +
               (sender != 0 ? " of " + std::to_string(sender) : "") + "; ";
    }
    void tell_then_answer(Place& place, Packet change, unsigned number, long value, bool ends) override
    {
        log += change.kind == Packet::Kind::reset ? "reset, " : "all, ";
        log += ends ? "end; " : "";
        answer(place, number, value, 0);
    }

    std::string ask(unsigned endpoint, unsigned method, long first, long second, long third = 0,
                    long fourth = 0, std::string_view words = {})
    {
        parley_native_request request{};
        request.method = method;
        request.number = 7;
        const long all[] = {first, second, third, fourth};
        std::memcpy(request.words, all, sizeof all);
        std::memcpy(request.payload, words.data(), words.size());
        request.bytes = words.size();
        log.clear();
        requests.take(places[endpoint], request);
        return log;
    }
    std::string load(long node, long pid, std::string_view words = "true")
    {
        return ask(host, parley_method_job_load, 0, 0, node, pid, words);
    }
    std::string end(unsigned endpoint, int status)
    {
        log.clear();
        {
            const LockGuard guard(places.roster().lock());
            places.roster().ended(endpoint, status);
        }
        requests.note_end(places[endpoint]);
        return log;
    }
};

std::string refused(Error error) { return "2:7 -" + std::to_string(static_cast<int>(error)) + "; "; }

} // namespace

TEST_CASE("a load places programs with their words, and a start starts them")
{
    Scene scene;
    using namespace std::string_view_literals;
    CHECK(scene.load(-1, 5, "/usr/somebody/true\0word"sv) == "all, 2:7 0; ");
    CHECK(scene.places[1].command == std::vector<std::string>{"/bin/true", "word"});
    CHECK(scene.starts[1].start.pid == 5);
    CHECK(scene.ask(host, parley_method_job_start, -1, -1) == "start 0 word; start 1 word; 2:7 0; ");
    CHECK(scene.load(0, 5) == refused(Error::pid_in_use));
}

TEST_CASE("a load that cannot be is refused and leaves nothing")
{
    Scene scene;
    CHECK(scene.load(-1, 77, "no such program") == refused(Error::not_found));
    CHECK(scene.load(-1, 77, "true" + std::string(64, '\0')) == refused(Error::bad_argument));
    CHECK(scene.load(2, 0) == refused(Error::bad_node));
    CHECK(scene.places[0].command.empty());
    CHECK(scene.load(-1, 78) == "all, 2:7 0; ");
}

TEST_CASE("what a machine cannot change in its messages is taken back, and the rank is told why")
{
    Scene scene;
    scene.load(-1, 77);
    scene.log.clear();
    scene.requests.undo(scene.places[host], 7, {.kind = Packet::Kind::place, .endpoint = 0, .words = {77, 2}},
                        Error::pid_in_use);
    CHECK(scene.log == refused(Error::pid_in_use));
    CHECK(scene.places[0].command.empty());
    CHECK(scene.places.roster().standing(1) == jobs::Standing::empty);
    CHECK(scene.load(-1, 0) == "all, 2:7 0; ");
    CHECK(scene.ask(host, parley_method_job_start, -1, -1) ==
          "start 0 /bin/true; start 1 /bin/true; 2:7 0; ");
    CHECK(scene.ask(1, parley_method_job_set_pid, 50, 0) == "all, 1:7 0; ");
    CHECK(scene.places.roster().pid_of(1) == 50);
    scene.log.clear();
    scene.requests.undo(scene.places[1], 7, {.kind = Packet::Kind::set_pid, .endpoint = 1, .words = {50, 0}},
                        Error::pid_in_use);
    CHECK(scene.log == "1:7 -" + std::to_string(static_cast<int>(Error::pid_in_use)) + "; ");
    CHECK(scene.places.roster().pid_of(1) == 0);
}

TEST_CASE("of programs that cannot all be started none is left that runs for the roster alone")
{
    Scene scene;
    scene.most = 0;
    scene.load(-1, 0);
    CHECK(scene.ask(host, parley_method_job_start, -1, -1) == "start 0 /bin/true; 2:7 0; ");
    CHECK_FALSE(scene.places.roster().runs(0));
    CHECK_FALSE(scene.places.roster().runs(1));
}

TEST_CASE("ends are told to who waits for them")
{
    Scene scene;
    scene.load(-1, 5);
    scene.ask(host, parley_method_job_start, -1, -1);
    CHECK(scene.ask(host, parley_method_job_wait_for, -1, -1, 1) == "");
    CHECK(scene.end(1, 3) == "2:7 3 of " + std::to_string(5ul << PARLEY_PID_SHIFT | 1) + "; ");
    CHECK(scene.ask(host, parley_method_job_wait_for, -1, -1, 0) == "");
    CHECK(scene.ask(host, 0, 0, 0) == refused(Error::interrupted));
    CHECK(scene.end(0, 0) == "");
    CHECK(scene.ask(host, parley_method_job_wait_for, 0, 5, 0) == "2:7 0; ");
    CHECK(scene.ask(host, parley_method_job_wait_for, 0, 5, 1) == refused(Error::closed));
    CHECK(scene.ask(host, parley_method_job_wait_for, 99, 0, 0) == refused(Error::bad_node));
}

TEST_CASE("a killer is answered when the killed are gone, and cannot take its request back")
{
    Scene scene;
    scene.load(-1, 0);
    scene.ask(host, parley_method_job_start, -1, -1);
    CHECK(scene.ask(host, parley_method_job_kill, -1, -1, 1) == "kill 0 kept; kill 1 kept; ");
    CHECK(scene.ask(host, 0, 0, 0) == "");
    CHECK(scene.end(0, 137) == "");
    CHECK(scene.end(1, 137) == "reset, 2:7 0; ");
    CHECK(scene.ask(host, parley_method_job_kill, -1, -9, 0) == refused(Error::bad_process));
}

TEST_CASE("a killer that means itself ends when the others have")
{
    Scene scene;
    scene.load(-1, 0);
    scene.ask(host, parley_method_job_start, -1, -1);
    CHECK(scene.ask(1, parley_method_job_kill, -1, -1, 0) == "kill 0; ");
    CHECK(scene.end(0, 137) == "reset, end; 1:7 0; ");
}

TEST_CASE("a row of the wrong length is none, and texts of one that is end inside it")
{
    Scene scene;
    scene.ask(host, parley_method_results_report, 0, 0, 0, 0, "short");
    CHECK(scene.record.rows.empty());
    scene.ask(host, parley_method_results_report, 0, 0, 0, 0, std::string(sizeof(parley_row), 'x'));
    REQUIRE(scene.record.rows.size() == 1);
    CHECK(std::strlen(scene.record.rows[0].row.name) == sizeof(parley_row::name) - 1);
    CHECK(scene.ask(host, 63, 0, 0) == refused(Error::no_such_call));
}

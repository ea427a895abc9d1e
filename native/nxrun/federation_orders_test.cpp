// SPDX-License-Identifier: MIT
// A host on the first of two machines loads a program on both, starts and kills it, twice, while packets
// cross and programs end by themselves: in every order of these steps all requests are answered, and nothing
// is left.
#include "interface/proxies.h"
#include "native/nxrun/first_machine.hpp"
#include "native/nxrun/orders_test.hpp"
#include "native/nxrun/other_machine.hpp"
#include "testing/catch.hpp"
#include "testing/selection.hpp"

#include <csignal>
#include <cstring>
#include <deque>
#include <functional>
#include <string_view>

using namespace parley;
using namespace parley::native;

namespace {

constexpr unsigned host = 2;
constexpr Spread on_machine(unsigned here) { return {.nodes = 2, .host = true, .machines = 2, .here = here}; }

// A machine whose ranks are numbers: they run, were killed, or could not begin.
struct Machine final : LocalRanks, LocalMessages, Post {
    explicit Machine(unsigned number) : here(number), places(on_machine(number), 1), starts(places.size())
    {
        places.back().process = 1;
        const LockGuard guard(places.roster().lock());
        places.roster().begin(places.back().endpoint);
    }

    std::expected<void, std::string> start(Place& place) override
    {
        if (place.endpoint == refused)
            return std::unexpected("There is no room.");
        place.process = 1;
        return {};
    }
    void kill(Place& place, bool) override { is_killed |= place.process > 0 && place.endpoint != host; }
    void end(Place&) override { }
    void end_all() override { is_killed = all_are_killed = true; }
    void answer(Place& place, unsigned, long value, unsigned long) override
    {
        if (place.endpoint == host)
            answered = value;
    }
    jobs::MachineState look() override { return {}; }
    std::string report() const override { return ""; }
    const messaging::Unreceived& unreceived(unsigned) const override { return nothing_left; }
    bool all_are_closed() const override { return true; }
    Result<void> change(const Packet&) override { return {}; }
    void send(unsigned, const Packet& packet, std::uint32_t) override { outgoing.push_back(packet); }
    void finish() override { has_left = true; }

    const unsigned here;
    Places places;
    std::vector<parley_native_place> starts;
    std::deque<Packet> outgoing;
    unsigned refused = 1000; // endpoint of a program that cannot begin
    bool is_killed = false;  // the program on its node
    bool all_are_killed = false;
    bool has_left = false; // the network
    std::optional<long> answered;
    messaging::Unreceived nothing_left{};
};

struct FederationPlay {
    struct Request {
        unsigned method;
        long words[4];
        std::string_view payload;
    };
    static constexpr Request script[] = {
        {parley_method_job_load, {0, 0, -1, 0}, "true"}, {parley_method_job_start, {-1, -1}, {}},
        {parley_method_job_kill, {-1, -1, 0}, {}},       {parley_method_job_load, {0, 0, -1, 0}, "true"},
        {parley_method_job_start, {-1, -1}, {}},         {parley_method_job_kill, {-1, -1, 0}, {}},
        {parley_method_job_load, {0, 0, -1, 0}, "true"}};

    FederationPlay()
    {
        federation[0]->begin();
        first.answered = 0;
    }

    // The steps that can be taken now.
    std::vector<std::function<void()>> steps()
    {
        std::vector<std::function<void()>> found;
        if (first.answered && next < requests && first.places[host].process > 0)
            found.push_back([this] { ask(script[next++]); });
        for (Machine* const from : {&first, &other})
            if (!from->outgoing.empty())
                found.push_back([this, from] { deliver(*from); });
        for (Machine* const machine : {&first, &other})
            if (machine->places[machine->here].process > 0 && (machine->is_killed || may_end))
                found.push_back([this, machine] { end(*machine); });
        if (first.all_are_killed && first.places[host].process > 0)
            found.push_back([this] {
                first.places[host].process = 0;
                federation[0]->ended(first.places[host], SIGKILL, {});
            });
        if (interrupts)
            for (const unsigned machine : {0u, 1u})
                found.push_back([this, machine] {
                    interrupts = false;
                    federation[machine]->end(JobEnd::interrupted, "Interrupted.");
                });
        return found;
    }
    void ask(const Request& asked)
    {
        parley_native_request request{};
        request.method = asked.method;
        request.number = next;
        std::memcpy(request.words, asked.words, sizeof asked.words);
        std::memcpy(request.payload, asked.payload.data(), asked.payload.size());
        request.bytes = asked.payload.size();
        first.answered.reset();
        federation[0]->asked(first.places[host], request);
    }
    void deliver(Machine& from)
    {
        const Packet packet = from.outgoing.front();
        from.outgoing.pop_front();
        federation[1 - from.here]->receive(from.here, packet);
    }
    void end(Machine& machine)
    {
        Place& place = machine.places[machine.here];
        place.process = 0;
        const int status = machine.is_killed ? SIGKILL : 0;
        may_end = may_end && machine.is_killed; // one ends by itself
        machine.is_killed = false;
        federation[machine.here]->ended(place, status, {});
    }

    // "" when all is as it should be, and no step is left.
    std::string rest()
    {
        if (next < requests || !first.answered)
            return "the host is not answered";
        if (*first.answered < 0)
            return "what was killed is still in its place";
        for (const unsigned endpoint : {0u, 1u}) {
            if (first.places.roster().standing(endpoint) != jobs::Standing::placed)
                return "place " + std::to_string(endpoint) + " is not free for the next program";
            if (first.places[endpoint].process != 0)
                return "place " + std::to_string(endpoint) + " has a process";
        }
        if (other.places.roster().runs(1))
            return "the other machine believes that its program runs";
        return "";
    }

    Machine first{0}, other{1};
    Record record;
    TraceArea nothing_watched{0, 0};
    const JobClock clock{1, 0};
    TraceCollection traces{nothing_watched, clock, 2, 2, first, [](unsigned) { return ClockReadings{}; }};
    FirstMachine one{
        {first.places, first, first, first}, 2, first.starts.data(), {"/bin/host"}, record, traces};
    OtherMachine two{
        {other.places, other, other, other}, other.starts.data(), TraceSender(nothing_watched, clock)};
    Federation* federation[2] = {&one, &two};
    std::size_t requests = std::size(script); // of the script, from its beginning
    std::size_t next = 0;
    bool may_end = true;
    bool interrupts = false; // once, one of the machines
};

} // namespace

TEST_CASE("a load, a start, a kill and an end leave nothing on either machine in any order of steps")
{
    CHECK(explore<FederationPlay>([](FederationPlay&) {}, [](FederationPlay& play) { return play.rest(); }) >
          300);
}

TEST_CASE("a start that fails on the second machine ends the job on both in any order of steps")
{
    const auto check = [](FederationPlay& play) -> std::string {
        if (!play.one.is_ending() || !play.two.is_ending())
            return "a machine goes on";
        play.one.complete(play.record);
        return play.record.sentence == "There is no room." && !play.other.places.roster().runs(1)
                   ? ""
                   : "the verdict is another";
    };
    CHECK(explore<FederationPlay>([](FederationPlay& play) { play.other.refused = 1; }, check) > 10);
}

TEST_CASE("a job that is interrupted on either machine is left by both in any order of steps")
{
    const auto check = [](FederationPlay& play) -> std::string {
        play.one.complete(play.record);
        return !play.first.has_left || !play.other.has_left ? "a machine stays"
               : play.record.sentence == "Interrupted."     ? ""
                                                            : "the verdict is another";
    };
    const auto begin = [](FederationPlay& play) {
        play.interrupts = true;
        play.requests = testing::briefly(std::size(play.script), 4); // the second load is the last
    };
    CHECK(explore<FederationPlay>(begin, check) > 1000);
}

// SPDX-License-Identifier: MIT
// Programs that load, start, kill and await each other on one machine, while answers are on their way and
// programs end by themselves: in every order of these steps whoever is not killed is answered, and nothing
// is left of what was loaded and never started.
#include "interface/proxies.h"
#include "native/nxrun/orders_test.hpp"
#include "native/nxrun/rank_requests.hpp"
#include "testing/catch.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <functional>
#include <string_view>

using namespace parley;
using namespace parley::native;

namespace {

// Two nodes with two processes each, and a host. The programs of the first row run from the beginning.
constexpr unsigned host = 4;
constexpr Spread one_machine{.nodes = 2, .pids = 2, .host = true};

struct RankRequest {
    unsigned method;
    long words[4];
    std::string_view payload;
};

RankRequest to_load(long node, long pid) { return {parley_method_job_load, {0, 0, node, pid}, "true"}; }
RankRequest to_start(long node, long pid) { return {parley_method_job_start, {node, pid}, {}}; }
RankRequest to_kill(long node, long pid) { return {parley_method_job_kill, {node, pid, 0}, {}}; }
RankRequest to_await(long node, long pid) { return {parley_method_job_wait_for, {node, pid, 0}, {}}; }
const RankRequest withdraw{0, {}, {}};

class RequestsPlay final : RankRequests::Machinery {
public:
    RequestsPlay()
    {
        for (const unsigned endpoint : {0u, 1u, host})
            run(endpoint);
    }

    // What the program there asks, one after the other; a withdrawal does not wait for the answer before.
    void script(unsigned endpoint, std::vector<RankRequest> requests)
    {
        programs_[endpoint].script = std::move(requests);
    }
    // So many programs end without being killed, at any step; then only when there is no other step.
    unsigned may_end = 1;

    std::vector<std::function<void()>> steps()
    {
        std::vector<std::function<void()>> found;
        if (!broken_.empty())
            return found;
        if (!answers_.empty())
            found.push_back([this] { deliver(); });
        for (unsigned endpoint = 0; endpoint < std::size(programs_); ++endpoint) {
            const Program& program = programs_[endpoint];
            if (!program.runs)
                continue;
            if (has_next(program))
                found.push_back([this, endpoint] { ask(endpoint); });
            if (program.killed || (may_end != 0 && endpoint != host && program.pending == 0))
                found.push_back([this, endpoint] { end(endpoint); });
        }
        if (found.empty())
            for (unsigned endpoint = 0; endpoint < host && found.empty(); ++endpoint)
                if (programs_[endpoint].runs && programs_[endpoint].pending == 0)
                    found.push_back([this, endpoint] { end(endpoint); });
        return found;
    }

    // "" when all is as it should be, and no step is left.
    std::string rest()
    {
        if (!broken_.empty())
            return broken_;
        for (unsigned endpoint = 0; endpoint < std::size(programs_); ++endpoint)
            if (programs_[endpoint].runs && programs_[endpoint].pending != 0)
                return "program " + std::to_string(endpoint) + " is not answered";
        for (unsigned endpoint = 0; endpoint < host; ++endpoint) {
            const jobs::Standing standing = roster().standing(endpoint);
            if (standing != jobs::Standing::empty && standing != jobs::Standing::ended &&
                standing != jobs::Standing::placed)
                return "place " + std::to_string(endpoint) + " is not free";
        }
        const LockGuard guard(roster().lock());
        if (roster().running() != 1 || roster().somebody_waits())
            return "the roster counts programs that are gone";
        return "";
    }
    jobs::Standing standing(unsigned endpoint) { return roster().standing(endpoint); }
    const std::vector<long>& answered(unsigned endpoint) const { return programs_[endpoint].answered; }

private:
    struct Program {
        bool runs = false;
        bool killed = false;
        std::vector<RankRequest> script;
        std::size_t next = 0;
        unsigned pending = 0; // number of the request that is not answered
        std::vector<long> answered;
    };
    struct Answer {
        unsigned endpoint, number;
        long value;
        bool ends;
    };

    jobs::Roster& roster() { return places_.roster(); }
    void run(unsigned endpoint)
    {
        const LockGuard guard(roster().lock());
        roster().begin(endpoint);
        programs_[endpoint].runs = true;
    }
    static bool has_next(const Program& program)
    {
        return !program.killed && program.next < program.script.size() &&
               (program.pending == 0 || program.script[program.next].method == withdraw.method);
    }

    // ---- what nxrun does for it ----
    bool start(Place& place) override
    {
        programs_[place.endpoint] = {};
        programs_[place.endpoint].runs = true;
        return true;
    }
    void kill_rank(Place& place, bool) override
    {
        Program& program = programs_[place.endpoint];
        if (!program.runs)
            broken_ = "a program is killed that does not run";
        program.killed = true;
    }
    void answer(Place& place, unsigned number, long value, unsigned long) override
    {
        reply({place.endpoint, number, value, false});
    }
    // Other machines would change theirs first.
    void tell_then_answer(Place& place, Packet, unsigned number, long value, bool ends) override
    {
        answers_.push_back({place.endpoint, number, value, ends});
    }

    // ---- steps ----
    void ask(unsigned endpoint)
    {
        Program& program = programs_[endpoint];
        const RankRequest& asked = program.script[program.next++];
        if (asked.method == withdraw.method && program.pending == 0)
            return; // it was answered before
        parley_native_request request{};
        request.method = asked.method;
        request.number = asked.method == withdraw.method ? program.pending : ++numbers_;
        std::memcpy(request.words, asked.words, sizeof asked.words);
        std::memcpy(request.payload, asked.payload.data(), asked.payload.size());
        request.bytes = asked.payload.size();
        program.pending = request.number;
        requests_.take(places_[endpoint], request);
        look();
    }
    void deliver()
    {
        const Answer answer = answers_.front();
        answers_.pop_front();
        reply(answer);
        look();
    }
    void reply(const Answer& answer)
    {
        Program& program = programs_[answer.endpoint];
        if (!program.runs || program.pending != answer.number)
            return; // it has ended, and perhaps another runs there
        program.pending = 0;
        program.killed = program.killed || answer.ends;
        program.answered.push_back(answer.value);
    }
    void end(unsigned endpoint)
    {
        Program& program = programs_[endpoint];
        may_end -= !program.killed && may_end != 0 ? 1 : 0;
        const int status = program.killed ? SIGKILL : 0;
        const std::vector<long> answered = program.answered;
        program = {};
        program.answered = answered;
        places_[endpoint].asked.reset(); // with its process (ranks.cpp)
        {
            const LockGuard guard(roster().lock());
            roster().ended(endpoint, status);
        }
        requests_.note_end(places_[endpoint]);
        look();
    }
    // The invariants of RankRequests, and of what it starts.
    void look()
    {
        for (unsigned endpoint = 0; endpoint < std::size(programs_); ++endpoint) {
            const LockGuard guard(roster().lock());
            if (places_[endpoint].asked.has_value() != roster().wait_of(endpoint).has_value())
                broken_ = "place " + std::to_string(endpoint) + " has asked what the roster does not know";
            if (programs_[endpoint].runs != roster().runs(endpoint))
                broken_ = "the roster does not know what runs in place " + std::to_string(endpoint);
            if (roster().standing(endpoint) == jobs::Standing::returning ||
                roster().standing(endpoint) == jobs::Standing::loading)
                broken_ = "place " + std::to_string(endpoint) + " is left half made";
        }
    }

    Places places_{one_machine, 0};
    parley_native_place starts_[host + 1]{};
    Record record_;
    RankRequests requests_{places_, starts_, "/bin/sh", record_, *this};
    Program programs_[host + 1];
    std::deque<Answer> answers_;
    unsigned numbers_ = 0;
    std::string broken_; // an invariant, at some step
};

unsigned explored(const std::function<void(RequestsPlay&)>& prepare)
{
    return explore<RequestsPlay>(prepare, [](RequestsPlay& play) { return play.rest(); });
}

} // namespace

TEST_CASE("a load, a start and a kill by programs that kill each other leave nothing in any order of steps")
{
    CHECK(explored([](RequestsPlay& play) {
              play.script(host, {to_load(-1, 1), to_start(-1, 1), to_kill(-1, 1)});
              play.script(0, {to_kill(1, 0)});
              play.script(1, {to_kill(0, 0)});
          }) > 1000);
}

TEST_CASE("a kill of all by one of them meets what the host loads in any order of steps")
{
    CHECK(explored([](RequestsPlay& play) {
              play.script(host, {to_load(-1, 1), to_start(-1, 1), to_await(-1, 1)});
              play.script(0, {to_kill(-1, -1)});
          }) > 100);
}

TEST_CASE("what a program has loaded and not started goes with it in any order of steps")
{
    const auto check = [](RequestsPlay& play) -> std::string {
        if (play.standing(2) == jobs::Standing::placed || play.standing(3) == jobs::Standing::placed)
            return "a program is placed whose loader is gone";
        return play.rest();
    };
    CHECK(explore<RequestsPlay>(
              [](RequestsPlay& play) {
                  play.may_end = 2;
                  play.script(host, {to_await(-1, 1)});
                  play.script(0, {to_load(0, 1), to_load(1, 1), to_start(0, 1)});
                  play.script(1, {to_kill(0, 0), to_kill(-1, 1)});
              },
              check) > 100);
}

TEST_CASE("a wait may be taken back and a kill may not, and each is answered once in any order of steps")
{
    const auto check = [](RequestsPlay& play) -> std::string {
        const std::vector<long>& answers = play.answered(host);
        if (answers.size() != 2)
            return "the host has " + std::to_string(answers.size()) + " answers";
        if (answers[1] != 0)
            return "a kill is answered before it is done";
        return play.rest();
    };
    CHECK(explore<RequestsPlay>(
              [](RequestsPlay& play) {
                  play.script(host, {to_await(0, 0), withdraw, to_kill(-1, 0), withdraw});
                  play.script(1, {to_kill(0, 0)});
              },
              check) > 10);
}

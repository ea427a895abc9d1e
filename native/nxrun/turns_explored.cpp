// SPDX-License-Identifier: MIT
// Turns of gang scheduled jobs, in every order of the steps of the one that keeps them and of jobs that take
// them, of which one is stopped, or ended, at any step.
#include "native/nxrun/turn_order.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>

using namespace parley;
using namespace parley::native;

namespace {

using Kind = TurnMessage::Kind;

// What goes over a connection in one direction.
class TurnStream {
public:
    void put(Kind kind)
    {
        explorer::step();
        said_.push_back(kind);
    }
    bool take(Kind& kind)
    {
        explorer::step();
        if (said_.empty())
            return false;
        kind = said_.front();
        said_.pop_front();
        return true;
    }

    bool empty() const { return said_.empty(); }

private:
    std::deque<Kind> said_;
};

// A job's nxrun and its ranks, as far as turns go (native/nxrun/turns.cpp, job.cpp).
struct Job {
    TurnStream to_keeper, from_keeper;
    bool news = false;    // since it looked
    bool to_stop = false; // by somebody, when it next waits for news
    bool stopped = false;
    bool noticed = false; // by the keeper
    bool gone = false;
    bool ranks_run = false;
    unsigned turns = 0;
};

// Jobs that share one processor, with slices that are over as soon as another wants a turn. Each wants so
// many turns, and keeps its last where nobody else wants one.
class Scene {
public:
    static constexpr unsigned turns_wanted = 2;

    explicit Scene(unsigned jobs) : jobs_(jobs)
    {
        for (unsigned number = 0; number < jobs; ++number)
            order_.add(static_cast<int>(number));
    }

    // ---- for the order ----
    void say(int member, Kind kind)
    {
        jobs_[member].from_keeper.put(kind);
        tell(jobs_[member]);
    }
    bool is_stopped(int member)
    {
        explorer::step();
        jobs_[member].noticed = jobs_[member].stopped;
        return jobs_[member].stopped;
    }
    void stop_ranks(int member) { jobs_[member].ranks_run = false; }

    // ---- parties ----
    void keep_turns()
    {
        while (!order_.empty()) {
            keeper_has_news_ = false;
            for (int member = 0; member < static_cast<int>(jobs_.size()); ++member)
                hear(member);
            if (const auto next = order_.next_look(now_);
                all_have_heard() && next != TurnClock::time_point::max()) {
                order_.look(now_ = next);
                // It is told by its timer alone that one does not answer.
                keeper_has_news_ = keeper_has_news_ || std::ranges::any_of(jobs_, [](const Job& job) {
                                       return job.stopped && !job.noticed && !job.from_keeper.empty();
                                   });
            }
            order_.give_turns(now_);
            while (!keeper_has_news_ && !order_.empty())
                explorer::sleep(this);
        }
    }
    void run(unsigned number)
    {
        Job& job = jobs_[number];
        tell_keeper(job, Kind::join);
        while (await_news(job)) {
            Kind kind{}, last{};
            bool heard = false;
            while (job.from_keeper.take(kind)) {
                last = kind;
                heard = true;
            }
            if (!heard)
                continue;
            tell_keeper(); // its slice may be over from here on
            job.ranks_run = last == Kind::go;
            if (last == Kind::halt) {
                tell_keeper(job, Kind::halted);
                continue;
            }
            look_for_another(job);
            if (++job.turns == turns_wanted)
                break;
        }
        job.ranks_run = false;
        job.gone = true;
        tell_keeper();
    }
    void stop(unsigned number)
    {
        explorer::step();
        jobs_[number].to_stop = true;
        tell(jobs_[number]);
    }
    void resume(unsigned number)
    {
        explorer::step();
        Job& job = jobs_[number];
        job.to_stop = job.stopped = false;
        explorer::wake(&job.stopped, 1);
    }

    // At the end of a play; a job that somebody has stopped waits.
    std::string verdict() const
    {
        if (crowded_)
            return "two jobs run at once";
        for (const Job& job : jobs_)
            if (!job.gone && !job.ranks_run && !job.stopped)
                return "a job waits for its turn for ever";
        return "";
    }

private:
    void hear(int member)
    {
        Job& job = jobs_[member];
        TurnMessage message;
        message.processors.set(0);
        if (job.to_keeper.take(message.kind)) {
            keeper_has_news_ = true; // perhaps
            order_.receive(member, message, ++now_);
        } else if (job.gone)
            order_.remove(member);
    }
    // No slice is so short that a job which is not stopped has not even heard of it.
    bool all_have_heard() const
    {
        return std::ranges::all_of(
            jobs_, [](const Job& job) { return job.from_keeper.empty() || job.stopped || job.gone; });
    }
    void tell_keeper(Job& job, Kind kind)
    {
        job.to_keeper.put(kind);
        tell_keeper();
    }
    // It hears of a job that is stopped when it next looks.
    void tell_keeper()
    {
        keeper_has_news_ = true;
        explorer::wake(this, 1);
    }
    static void tell(Job& job)
    {
        job.news = true;
        explorer::wake(&job, 1);
    }
    // False: it is killed.
    bool await_news(Job& job)
    {
        while (!job.news && !explorer::must_end())
            explorer::sleep(&job);
        job.news = false;
        job.stopped = job.to_stop;
        if (job.stopped)
            tell_keeper();
        while (job.stopped && !explorer::must_end())
            explorer::sleep(&job.stopped);
        return !explorer::must_end();
    }
    void look_for_another(const Job& job)
    {
        for (const Job& other : jobs_)
            crowded_ = crowded_ || (&other != &job && other.ranks_run);
    }

    std::deque<Job> jobs_;
    TurnOrder<Scene> order_{*this};
    TurnClock::time_point now_{};
    bool keeper_has_news_ = false;
    bool crowded_ = false;
};

// What is done to the first job, at any step.
enum class Done { nothing, killed, stopped, stopped_and_resumed };

// What the parties share is what goes over connections and what Linux knows: no memory is ordered by it.
template <class Body>
std::function<void()> aside(Body body)
{
    return [body] {
        const explorer::Aside unwatched;
        body();
    };
}

explorer::Play turns_of(unsigned jobs, Done done)
{
    const auto scene = std::make_shared<Scene>(jobs);
    explorer::Play play;
    play.may_wait = true;
    for (unsigned number = 0; number < jobs; ++number)
        play.parties.push_back(aside([scene, number] { scene->run(number); }));
    play.parties.push_back(aside([scene] { scene->keep_turns(); }));
    if (done == Done::killed)
        play.parties.push_back([] { explorer::kill(0); });
    if (done == Done::stopped || done == Done::stopped_and_resumed)
        play.parties.push_back(aside([scene, done] {
            scene->stop(0);
            if (done == Done::stopped_and_resumed)
                scene->resume(0);
        }));
    play.check = [scene] { return scene->verdict(); };
    return play;
}

// Processes, which share no memory.
explorer::Options orders(unsigned preemptions)
{
    return {.preemptions = preemptions, .memory = explorer::Model::sequential, .races = false};
}

} // namespace

TEST_CASE("of jobs that share a processor one runs at a time and each in its turn in any order of steps")
{
    const auto play = [](unsigned jobs) { return [jobs] { return turns_of(jobs, Done::nothing); }; };
    CHECK(explorer::explore(orders(2), play(2)).failure == "");
    CHECK(explorer::explore(orders(0), play(3)).failure == "");
}

TEST_CASE("turns go on whatever becomes of a job at any step")
{
    for (const Done done : {Done::killed, Done::stopped, Done::stopped_and_resumed}) {
        INFO(static_cast<int>(done));
        CHECK(explorer::explore(orders(1), [=] { return turns_of(2, done); }).failure == "");
    }
}

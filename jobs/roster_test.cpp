// SPDX-License-Identifier: MIT
#include "jobs/roster.hpp"
#include "testing/catch.hpp"

#include <memory>
#include <vector>

using namespace parley;
using namespace parley::jobs;

namespace {

constexpr unsigned host = 6, helper = 7;

// Three nodes with two processes each, a host and a helper. The host runs. The roster's lock is held.
struct SCOPED_CAPABILITY Job {
    std::unique_ptr<Roster::ProgramEntry[]> entries = std::make_unique<Roster::ProgramEntry[]>(8);
    Roster roster{{.nodes = 3, .pids = 2, .host = true}, {entries.get(), 8}};

    Job() ACQUIRE(roster.lock())
    {
        roster.lock().acquire();
        roster.begin(host);
    }
    ~Job() RELEASE() { roster.lock().release(); }

    std::vector<unsigned> chosen(Selection whom) const
    {
        std::vector<unsigned> found;
        for (const unsigned endpoint : roster.meant(whom))
            found.push_back(endpoint);
        return found;
    }
    Result<Roster::Plan> load(int node, int pid) REQUIRES(roster.lock())
    {
        return roster.load(host, {node, pid});
    }
    // Load and start.
    void run(int node, int pid) REQUIRES(roster.lock())
    {
        roster.commit(load(node, pid).value());
        roster.start({node, pid}, [](unsigned) { });
    }
    std::vector<unsigned> kill(unsigned killer, Selection whom, bool successors_receive = false)
        REQUIRES(roster.lock())
    {
        std::vector<unsigned> stopped;
        itself = roster.kill(killer, whom, successors_receive, [&](unsigned one) { stopped.push_back(one); })
                     .value();
        return stopped;
    }
    std::vector<unsigned> give_back(unsigned owner) REQUIRES(roster.lock())
    {
        std::vector<unsigned> given;
        for (auto at = roster.next_returning(owner, 0); at; at = roster.next_returning(owner, *at)) {
            given.push_back(*at);
            roster.returned(*at);
        }
        return given;
    }
    Error waits_in_vain(unsigned endpoint, WaitForEnds wait) REQUIRES(roster.lock())
    {
        const Result<void> begun = roster.wait(endpoint, wait);
        if (!begun)
            return begun.error();
        const Result<Ended> checked = roster.check_wait(endpoint);
        REQUIRE_FALSE(checked);
        return checked.error();
    }

    bool itself = false;
};

using Endpoints = std::vector<unsigned>;

} // namespace

TEST_CASE("a job has a row of nodes for each pid, then its host, then its helpers")
{
    Job job;
    CHECK(job.roster.size() == 8);
    CHECK(job.roster.node_of(4) == 1);
    CHECK(job.roster.pid_of(4) == 1);
    CHECK(job.roster.node_of(host) == 3);
    CHECK(job.roster.is_host(host));
    CHECK_FALSE(job.roster.is_host(5));
    CHECK_FALSE(job.roster.is_program(helper));
}

TEST_CASE("a call means programs by node and pid, -1 for all, and neither host nor helper")
{
    Job job;
    CHECK(job.roster.set_pid(3, 12));
    CHECK(job.chosen({-1, -1}) == Endpoints{0, 1, 2, 3, 4, 5});
    CHECK(job.chosen({1, -1}) == Endpoints{1, 4});
    CHECK(job.chosen({-1, 1}) == Endpoints{4, 5});
    CHECK(job.chosen({0, 12}) == Endpoints{3});
    CHECK(job.chosen({0, 13}).empty());
}

TEST_CASE("no call means a node or a pid that the job cannot have")
{
    Job job;
    CHECK(job.roster.check({99, 0}).error() == Error::bad_node);
    CHECK(job.roster.check({3, 0}).error() == Error::bad_node); // the host's
    CHECK(job.roster.check({-7, -9}).error() == Error::bad_node);
    CHECK(job.roster.check({-1, -9}).error() == Error::bad_process);
    CHECK(job.roster.check({-1, 40})); // a program may still be loaded with that pid
    job.run(-1, 40);
    job.run(-1, 1);
    CHECK(job.roster.check({0, 40}));
    CHECK(job.roster.check({-1, 41}).error() == Error::bad_process);
    CHECK(job.roster.set_pid(0, 41));
    CHECK(job.roster.check({-1, 41}));
    CHECK(job.roster.wait(host, {WaitForEnds::For::all, {99, 0}}).error() == Error::bad_node);
    CHECK(job.roster.kill(host, {-1, -9}, false, [](unsigned) { }).error() == Error::bad_process);
    CHECK(job.roster.set_pid(0, -1).error() == Error::bad_process);
}

TEST_CASE("a pid has the row that it was given, that of its number, or a free one")
{
    Job job;
    CHECK(job.load(1, 1)->first == 4);
    CHECK(job.load(-1, 40)->first == 0);
    CHECK(job.load(-1, 41).error() == Error::bad_process);
    CHECK(job.load(0, 0).error() == Error::pid_in_use);
    CHECK(job.load(0, -1).error() == Error::bad_process);
    CHECK(job.load(3, 0).error() == Error::bad_node);
}

TEST_CASE("a row keeps the pid that it was given for the next program")
{
    Job job;
    job.run(-1, 40);
    CHECK(job.kill(host, {-1, 40}) == Endpoints{0, 1, 2});
    for (unsigned endpoint : {0, 1, 2})
        job.roster.ended(endpoint, 0);
    job.roster.undo(job.load(-1, 40).value());
    job.give_back(host);
    job.roster.commit(job.load(-1, 50).value()); // which has not begun
    job.kill(host, {-1, 50});
    job.give_back(host);
    CHECK(job.load(-1, 41)->first == 3);
    CHECK(job.load(-1, 40)->first == 0);
}

TEST_CASE("a load that fails leaves everything as it was")
{
    Job job;
    CHECK(job.roster.set_pid(1, 7));
    const Roster::Plan plan = job.load(-1, 77).value();
    CHECK(job.roster.pid_of(1) == 77);
    job.roster.undo(plan);
    CHECK(job.load(-1, 77).error() == Error::pid_in_use); // until all is given back
    CHECK(job.give_back(host) == Endpoints{0, 1, 2});
    CHECK(job.give_back(host).empty());
    CHECK(job.roster.pid_of(1) == 7);
    job.run(-1, 1);
    CHECK(job.load(-1, 78)->first == 0);
    CHECK(job.chosen({-1, 77}).empty());
}

TEST_CASE("a load that fails on one node takes no pid from those that others were loaded with")
{
    Job job;
    job.run(0, 77);
    const Roster::Plan plan = job.load(1, 77).value();
    job.roster.undo(plan);
    job.give_back(host);
    CHECK(job.load(2, 77)->first == 2);
    CHECK(job.load(-1, 78)->first == 3);
}

TEST_CASE("two rows never have one pid")
{
    Job job;
    job.run(1, 1);
    CHECK(job.roster.check_pid(4, 40));
    CHECK(job.roster.set_pid(4, 40));
    CHECK(job.load(-1, 40).error() == Error::pid_in_use);
    CHECK(job.roster.pid_of(0) == 0);
    job.run(-1, 77);
    CHECK(job.roster.check_pid(0, 40).error() == Error::pid_in_use); // a program of another row has it
    CHECK(job.roster.check_pid(4, 77).error() == Error::pid_in_use); // another row was given it
    CHECK(job.roster.check_pid(4, 0).error() == Error::pid_in_use);  // another row's number
    CHECK(job.roster.check_pid(4, -1).error() == Error::bad_process);
    CHECK(job.roster.check_pid(5, 40)); // of one row, all may have it
    CHECK(job.roster.check_pid(host, 77));
    job.kill(host, {1, 40});
    job.roster.ended(4, 0);
    CHECK(job.roster.check_pid(0, 40));
}

TEST_CASE("what is placed is unloaded, and what runs is not")
{
    Job job;
    job.roster.commit(job.load(-1, 0).value());
    job.roster.start({1, 0}, [](unsigned) { });
    for (unsigned endpoint : {0, 1, 2, 3})
        job.roster.unload(endpoint, host);
    CHECK(job.give_back(host) == Endpoints{0, 2});
    CHECK(job.roster.runs(1));
}

TEST_CASE("only a job with a host loads")
{
    auto entries = std::make_unique<Roster::ProgramEntry[]>(2);
    Roster roster({.nodes = 2}, {entries.get(), 2});
    const LockGuard held(roster.lock());
    CHECK(roster.load(0, {-1, 0}).error() == Error::not_permitted);
}

TEST_CASE("what load has placed starts once, all in one step")
{
    Job job;
    job.roster.commit(job.load(-1, 0).value());
    Endpoints begun;
    job.roster.start({-1, -1}, [&](unsigned endpoint) {
        begun.push_back(endpoint);
        CHECK(job.roster.runs(endpoint));
    });
    job.roster.start({-1, -1}, [&](unsigned endpoint) { begun.push_back(endpoint); });
    CHECK(begun == Endpoints{0, 1, 2});
    CHECK(job.roster.running() == 4);
}

TEST_CASE("waitall waits for all that run and takes their ends with it")
{
    Job job;
    job.run(-1, 0);
    CHECK(job.waits_in_vain(host, {WaitForEnds::For::all, {-1, 0}}) == Error::would_block);
    CHECK(job.roster.epoch(host) % 2 == 1);
    CHECK_FALSE(job.roster.ended(0, 3));
    CHECK(job.roster.may_go_on(host));
    CHECK(job.roster.epoch(host) % 2 == 0);
    CHECK(job.roster.check_wait(host).error() == Error::would_block);
    CHECK(job.roster.left_with(0) == 3);
    CHECK(job.load(0, 0).error() == Error::pid_in_use); // its end was not waited for
    job.roster.ended(1, 0);
    job.roster.ended(2, 0);
    CHECK(job.roster.check_wait(host));
    CHECK_FALSE(job.roster.wait_of(host));
    CHECK_FALSE(job.roster.left_with(0));
    CHECK(job.load(0, 0));
}

TEST_CASE("waitone answers with each end once, and that nobody is left")
{
    Job job;
    job.run(-1, 0);
    CHECK(job.waits_in_vain(host, {WaitForEnds::For::one, {-1, -1}}) == Error::would_block);
    CHECK(job.waits_in_vain(1, {WaitForEnds::For::one, {2, -1}}) == Error::would_block);
    job.roster.ended(2, 5);
    CHECK(job.roster.may_go_on(host));
    const Result<Ended> one = job.roster.check_wait(host);
    CHECK((one->status == 5 && one->node == 2 && one->pid == 0));
    CHECK(job.roster.check_wait(1).error() == Error::closed);
    CHECK_FALSE(job.roster.somebody_waits());
}

TEST_CASE("an end tells those who wait for it, and nobody waits for itself")
{
    Job job;
    job.run(-1, 0);
    CHECK(job.waits_in_vain(host, {WaitForEnds::For::all, {-1, -1}}) == Error::would_block);
    CHECK(job.waits_in_vain(0, {WaitForEnds::For::all, {1, -1}}) == Error::would_block);
    REQUIRE(job.roster.wait(1, {WaitForEnds::For::all, {1, -1}}));
    CHECK(job.roster.check_wait(1));
    job.roster.ended(2, 0);
    CHECK(job.roster.may_go_on(host));
    CHECK_FALSE(job.roster.may_go_on(0));
    job.roster.give_up(0);
    CHECK(job.roster.epoch(0) % 2 == 0);
    job.roster.ended(1, 0);
    CHECK_FALSE(job.roster.may_go_on(0));
}

TEST_CASE("whoever has waited for a program by a pid that it has left behind looks again")
{
    Job job;
    job.run(0, 0);
    CHECK(job.waits_in_vain(host, {WaitForEnds::For::all, {-1, 0}}) == Error::would_block);
    CHECK(job.roster.set_pid(0, 9));
    CHECK(job.roster.may_go_on(host));
    CHECK(job.roster.check_wait(host));
}

TEST_CASE("killed programs leave no ends, and the killer goes on when they are gone")
{
    Job job;
    job.run(-1, 0);
    job.run(-1, 1);
    job.roster.ended(0, 3);
    CHECK(job.kill(host, {-1, 0}, true) == Endpoints{1, 2});
    CHECK_FALSE(job.itself);
    CHECK_FALSE(job.roster.left_with(0));
    CHECK((job.roster.removed(1) && job.roster.successor_receives(1)));
    CHECK_FALSE(job.roster.removed(3));
    CHECK(job.waits_in_vain(host, {WaitForEnds::For::killed, {-1, 0}}) == Error::would_block);
    job.roster.ended(1, 137);
    CHECK(job.roster.check_wait(host).error() == Error::would_block);
    job.roster.ended(2, 137);
    CHECK(job.roster.check_wait(host));
    CHECK(job.roster.standing(1) == Standing::empty);
    CHECK_FALSE(job.roster.removed(1));
    CHECK(job.roster.runs(3));
}

TEST_CASE("a killer does not wait for the next program in an entry that it has cleared")
{
    Job job;
    job.run(0, 0);
    job.run(1, 0);
    job.kill(1, {0, 0});
    CHECK(job.waits_in_vain(1, {WaitForEnds::For::killed, {0, 0}}) == Error::would_block);
    job.roster.ended(0, 137);
    job.run(0, 0);
    CHECK(job.roster.check_wait(1));
    CHECK(job.roster.runs(0));
}

TEST_CASE("a killer that means itself is told so and not stopped")
{
    Job job;
    job.run(-1, 0);
    CHECK(job.kill(1, {-1, -1}) == Endpoints{0, 2});
    CHECK(job.itself);
    job.roster.ended(0, 0);
    CHECK(job.waits_in_vain(1, {WaitForEnds::For::killed, {-1, -1}}) == Error::would_block);
    job.roster.ended(2, 0);
    CHECK(job.roster.check_wait(1));
    CHECK_FALSE(job.roster.ended(1, 0));
    CHECK(job.roster.ended(host, 0));
}

TEST_CASE("a kill takes back what is placed")
{
    Job job;
    job.run(2, 1);
    job.roster.commit(job.load(-1, 0).value());
    CHECK(job.kill(5, {-1, 0}).empty());
    CHECK(job.waits_in_vain(host, {WaitForEnds::For::killed, {-1, 0}}) == Error::would_block);
    CHECK(job.give_back(host).empty());
    CHECK(job.give_back(5) == Endpoints{0, 1, 2});
    CHECK(job.roster.check_wait(host));
    CHECK(job.load(-1, 0));
}

TEST_CASE("a kill during a load is done when the load gives back")
{
    Job job;
    job.run(2, 1);
    const Roster::Plan plan = job.load(-1, 0).value();
    CHECK(job.kill(5, {0, -1}).empty());
    CHECK(job.waits_in_vain(5, {WaitForEnds::For::killed, {0, -1}}) == Error::would_block);
    job.roster.commit(plan);
    CHECK(job.give_back(host) == Endpoints{0});
    CHECK(job.roster.may_go_on(5));
    CHECK(job.roster.check_wait(5));
    job.roster.start({-1, -1}, [](unsigned) { });
    CHECK_FALSE(job.roster.runs(0));
    CHECK((job.roster.runs(1) && job.roster.runs(2)));
    job.run(0, 0); // a program for the entry may be loaded again, and is not killed
    CHECK_FALSE(job.roster.removed(0));
}

TEST_CASE("what somebody has placed and not started goes when it ends")
{
    Job job;
    job.run(0, 1);
    job.roster.commit(job.roster.load(3, {-1, 0}).value());
    job.roster.ended(3, 0);
    job.roster.start({-1, -1}, [](unsigned) { FAIL("a program without a loader has begun"); });
    CHECK(job.give_back(3) == Endpoints{0, 1, 2});
    CHECK(job.load(-1, 0));
}

TEST_CASE("the last end of a program is told, and helpers are none")
{
    Job job;
    job.roster.begin(helper);
    job.run(0, 0);
    CHECK_FALSE(job.roster.ended(0, 0));
    CHECK(job.roster.ended(host, 0));
    CHECK(job.roster.dismiss(helper));
    CHECK_FALSE(job.roster.ended(helper, 0));
    CHECK_FALSE(job.roster.dismiss(helper));
}

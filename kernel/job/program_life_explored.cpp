// SPDX-License-Identifier: MIT
// A place of a job whose program ends while its host loads the next one and kills that: in every order of
// steps the kill meets the program that it was meant for.
#include "base/spin_lock.hpp"
#include "kernel/job/program_life.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::kernel;

namespace {

struct Scene {
    ProgramLife life;
    sched::PendingWork pending_work;
    Atomic<bool> job_ends{false};
    SpinLock lock; // the cube's

    Scene() { life.begin(); }

    // The process of the place, as Job::program_ended() has it.
    void program_ends()
    {
        LockGuard guard(lock);
        life.leave(0, pending_work, job_ends);
    }
    void run_until_killed()
    {
        while (!pending_work.killed())
            arch::pause();
        program_ends();
    }
    // The host.
    void collect_end()
    {
        for (;;) {
            {
                LockGuard guard(lock);
                if (life.collect())
                    return;
            }
            arch::pause();
        }
    }
    void load()
    {
        life.place();
        if (life.claim()) {
            LockGuard guard(lock);
            life.begin();
        }
    }
    void kill()
    {
        {
            LockGuard guard(lock);
            if (life.remove(false))
                pending_work.set_killed(true);
        }
        while (life.runs())
            arch::pause();
    }
};

explorer::Play a_kill_of_the_next_program()
{
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->program_ends();
        while (!scene->life.runs())
            arch::pause();
        scene->run_until_killed();
    });
    play.parties.push_back([scene] {
        scene->collect_end();
        scene->load();
        scene->kill();
    });
    play.check = [scene]() -> std::string {
        if (scene->pending_work.killed())
            return "the place is still to be killed";
        return scene->life.standing() == Standing::empty ? "" : "a program is left in the place";
    };
    return play;
}

explorer::Play a_kill_of_a_program_that_ends()
{
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->program_ends(); });
    play.parties.push_back([scene] { scene->kill(); });
    play.check = [scene]() -> std::string {
        if (scene->pending_work.killed())
            return "the kill outlived its program";
        return scene->life.standing() == Standing::empty ? "" : "the end of a killed program is kept";
    };
    return play;
}

explorer::Play a_kill_while_the_job_ends()
{
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->run_until_killed(); });
    play.parties.push_back([scene] { scene->kill(); });
    play.parties.push_back([scene] { scene->job_ends.store(true), scene->pending_work.set_killed(true); });
    play.check = [scene]() -> std::string {
        return scene->pending_work.killed() ? "" : "the end of the job passed the place by";
    };
    return play;
}

} // namespace

TEST_CASE("a kill meets the program that it was meant for in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, a_kill_of_the_next_program).failure == "");
    CHECK(explorer::explore({.preemptions = 3}, a_kill_of_a_program_that_ends).failure == "");
    CHECK(explorer::explore({.preemptions = 3}, a_kill_while_the_job_ends).failure == "");
}

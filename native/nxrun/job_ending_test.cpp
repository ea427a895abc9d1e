// SPDX-License-Identifier: MIT
#include "native/nxrun/job_ending.hpp"

#include "testing/catch.hpp"

#include <csignal>

using namespace parley;
using namespace parley::native;

namespace {

constexpr int exited(int status) { return status << 8; }
constexpr int segfault = SIGSEGV;

// Two nodes that run.
struct Scene {
    Places places{{.nodes = 2}, 0};
    Record record;
    JobEnding ending{places, record};

    Scene()
    {
        const LockGuard guard(places.roster().lock());
        places.roster().begin(0);
        places.roster().begin(1);
    }
    JobEnding::Meaning end(unsigned endpoint, int status, const std::optional<std::string>& lost = {})
    {
        return ending.rank_ended(places[endpoint], status, lost);
    }
    std::string sentence()
    {
        ending.complete_record();
        return record.sentence;
    }
};

} // namespace

TEST_CASE("a job whose ranks all exit with status 0 succeeds with its last rank")
{
    Scene scene;
    CHECK_FALSE(scene.end(1, exited(0)).is_last);
    const JobEnding::Meaning last = scene.end(0, exited(0));
    CHECK(last.is_last);
    CHECK_FALSE(last.job_fails);
    CHECK(scene.sentence().empty());
    CHECK(scene.record.end == JobEnd::success);
    REQUIRE(scene.record.processes.size() == 2);
    CHECK(scene.record.processes[0].node == 1);
    CHECK(scene.record.processes[0].reason.empty());
}

TEST_CASE("a status other than 0 is the verdict, and the others go on")
{
    Scene scene;
    CHECK_FALSE(scene.end(1, exited(3)).job_fails);
    CHECK_FALSE(scene.ending.has_begun());
    scene.end(0, exited(4));
    CHECK(scene.sentence() == "The job failed: node 1 exited with status 3 (and 1 other process failed).");
    CHECK(scene.record.end == JobEnd::failed);
    CHECK(scene.record.processes[1].status == 4);
}

TEST_CASE("a signal or a fault ends the job, whose verdict is the rank that had it")
{
    Scene scene;
    SECTION("a signal")
    {
        CHECK(scene.end(1, segfault).job_fails == "");
        CHECK(scene.record.processes[0].reason == "was ended by signal 11 (Segmentation fault)");
    }
    SECTION("a fault that the rank has told")
    {
        scene.places[1].fault = "divided by zero";
        CHECK(scene.end(1, segfault).job_fails == "");
        CHECK(scene.record.processes[0].reason == "divided by zero");
    }
    REQUIRE(scene.ending.begin(JobEnd::failed, ""));
    scene.end(0, SIGKILL);
    CHECK(scene.record.processes[1].reason == "ended with its job");
    CHECK(scene.record.processes[1].status == 0);
    CHECK(scene.sentence() == "The job failed: node 1 " + scene.record.processes[0].reason + ".");
}

TEST_CASE("a rank that its own job kills fails nobody, unless others have lost something by that")
{
    Scene scene;
    {
        const LockGuard guard(scene.places.roster().lock());
        REQUIRE(scene.places.roster().kill(0, {1, -1}, false, [](unsigned) { }));
    }
    SECTION("it has left")
    {
        CHECK_FALSE(scene.end(1, SIGKILL).job_fails);
        scene.end(0, exited(0));
        CHECK(scene.sentence().empty());
    }
    SECTION("it has left a lock held")
    {
        CHECK(scene.end(1, SIGKILL, "All is lost.").job_fails == "All is lost.");
    }
    CHECK(scene.record.processes[0].reason == "ended by its own job");
    CHECK(scene.record.processes[0].status == 0);
}

TEST_CASE("the first reason to end a job stands, but for an interruption before it")
{
    Scene scene;
    SECTION("the limit, then an interruption")
    {
        CHECK(scene.ending.begin(JobEnd::limit, "Too late.", "node 0 waits\n"));
        CHECK_FALSE(scene.ending.begin(JobEnd::interrupted, "Interrupted."));
        CHECK(scene.sentence() == "Too late.\nnode 0 waits\n");
        CHECK(scene.record.end == JobEnd::limit);
    }
    SECTION("a failure, then the limit")
    {
        scene.end(1, exited(3));
        CHECK(scene.ending.begin(JobEnd::limit, "Too late.", "  node 0 waits\n"));
        CHECK(scene.sentence() == "The job failed: node 1 exited with status 3; the others went on until the "
                                  "limit:\n  node 0 waits\n");
        CHECK(scene.record.end == JobEnd::failed);
    }
    SECTION("a failure, then an interruption")
    {
        scene.end(1, exited(3));
        CHECK(scene.ending.begin(JobEnd::interrupted, "Interrupted."));
        CHECK(scene.sentence() == "Interrupted.");
        CHECK(scene.record.end == JobEnd::interrupted);
    }
    scene.end(0, SIGKILL);
    CHECK(scene.record.processes.back().reason == "ended with its job");
}

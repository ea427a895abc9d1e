// SPDX-License-Identifier: MIT
#include "native/nxrun/verdict.hpp"
#include "testing/catch.hpp"

using namespace parley::native;

TEST_CASE("a job in which nothing failed has nothing to say")
{
    const Verdict verdict;
    CHECK(verdict.how() == JobEnd::success);
    CHECK(verdict.sentence().empty());
}

TEST_CASE("the first rank that fails is the cause, and the others are counted")
{
    Verdict verdict;
    verdict.rank_failed("node 1 exited with status 3");
    CHECK(verdict.sentence() == "The job failed: node 1 exited with status 3.");
    verdict.rank_failed("node 0 exited with status 1");
    verdict.rank_failed("node 2 exited with status 1");
    CHECK(verdict.sentence() ==
          "The job failed: node 1 exited with status 3 (and 2 other processes failed).");
}

TEST_CASE("a deadlock or a limit after that is what became of the others")
{
    for (const JobEnd how : {JobEnd::deadlock, JobEnd::limit}) {
        Verdict verdict;
        verdict.rank_failed("node 1 exited with status 3");
        verdict.end(how, "The job ended otherwise.", "  node 0: waits\n");
        CHECK(verdict.how() == JobEnd::failed);
        CHECK(verdict.sentence().starts_with("The job failed: node 1 exited with status 3; the others "));
        CHECK(verdict.sentence().ends_with(":\n  node 0: waits\n"));
    }
}

TEST_CASE("an end by itself has its own sentence, and what failed because of it adds nothing")
{
    Verdict verdict;
    verdict.end(JobEnd::deadlock, "The job deadlocked.", "  node 0: waits\n");
    verdict.rank_failed("node 0 was ended by signal 9 (Killed)");
    CHECK(verdict.how() == JobEnd::deadlock);
    CHECK(verdict.sentence() == "The job deadlocked.\n  node 0: waits\n");
}

TEST_CASE("an interrupt is told whatever has failed before")
{
    Verdict verdict;
    verdict.rank_failed("node 1 exited with status 3");
    verdict.end(JobEnd::interrupted, "Interrupted.");
    CHECK(verdict.how() == JobEnd::interrupted);
    CHECK(verdict.sentence() == "Interrupted.");
}

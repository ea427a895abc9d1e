// SPDX-License-Identifier: MIT
#include "native/nxrun/last_reports.hpp"
#include "native/nxrun/pending_answers.hpp"
#include "testing/catch.hpp"

using namespace parley;
using namespace parley::native;

TEST_CASE("a pending answer comes with the last machine's word, each token for itself")
{
    PendingAnswers pending;
    CHECK(pending.none());
    const long first = pending.keep({.endpoint = 1, .number = 10, .value = 5, .ends = false}, 2);
    const long second = pending.keep({.endpoint = 2, .number = 20, .value = 6, .ends = true}, 1);
    CHECK_FALSE(pending.done(first));
    CHECK_FALSE(pending.done(second + 1));
    CHECK(pending.done(second)->endpoint == 2);
    CHECK_FALSE(pending.none());
    const auto answer = pending.done(first);
    REQUIRE(answer);
    CHECK(answer->number == 10);
    CHECK(answer->value == 5);
    CHECK(pending.none());
    CHECK_FALSE(pending.done(first));
}

TEST_CASE("what one machine could not change is told with the last machine's word")
{
    PendingAnswers pending;
    const long token = pending.keep({.endpoint = 1, .number = 10, .value = 5, .ends = false}, 3);
    CHECK_FALSE(pending.done(token));
    CHECK_FALSE(pending.done(token, std::unexpected(Error::pid_in_use)));
    const auto answer = pending.done(token);
    REQUIRE(answer);
    CHECK(answer->made.error() == Error::pid_in_use);
}

TEST_CASE("the last reports stand in the order of machines, and time goes by without them")
{
    LastReports reports(JobEnd::deadlock, "It deadlocked.\n", 3, 2);
    CHECK_FALSE(reports.add(2, "c\n"));
    CHECK_FALSE(reports.add(0, "a\n"));
    CHECK_FALSE(reports.add(3, "nobody's\n"));
    CHECK_FALSE(reports.look());
    CHECK(reports.reports() == "a\nc\n");
    CHECK(reports.look());
    CHECK(reports.add(1, "b\n"));
    CHECK(reports.reports() == "a\nb\nc\n");
    CHECK(reports.sentence() == "It deadlocked.\n");
    CHECK(reports.how() == JobEnd::deadlock);
}

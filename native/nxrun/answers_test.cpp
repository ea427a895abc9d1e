// SPDX-License-Identifier: MIT
#include "native/nxrun/answers_owed.hpp"
#include "native/nxrun/last_reports.hpp"
#include "testing/catch.hpp"

using namespace parley::native;

TEST_CASE("an answer that is owed comes with the last machine's word, each token for itself")
{
    AnswersOwed owed;
    CHECK(owed.none());
    const long first = owed.owe({.endpoint = 1, .number = 10, .value = 5, .ends = false}, 2);
    const long second = owed.owe({.endpoint = 2, .number = 20, .value = 6, .ends = true}, 1);
    CHECK_FALSE(owed.done(first));
    CHECK_FALSE(owed.done(second + 1));
    CHECK(owed.done(second)->endpoint == 2);
    CHECK_FALSE(owed.none());
    const auto answer = owed.done(first);
    REQUIRE(answer);
    CHECK(answer->number == 10);
    CHECK(answer->value == 5);
    CHECK(owed.none());
    CHECK_FALSE(owed.done(first));
}

TEST_CASE("the last reports stand in the order of machines, and time goes by without them")
{
    LastReports reports(JobEnd::deadlock, "It deadlocked.\n", 3, 2);
    CHECK_FALSE(reports.hear(2, "c\n"));
    CHECK_FALSE(reports.hear(0, "a\n"));
    CHECK_FALSE(reports.hear(3, "nobody's\n"));
    CHECK_FALSE(reports.look());
    CHECK(reports.reports() == "a\nc\n");
    CHECK(reports.look());
    CHECK(reports.hear(1, "b\n"));
    CHECK(reports.reports() == "a\nb\nc\n");
    CHECK(reports.sentence() == "It deadlocked.\n");
    CHECK(reports.how() == JobEnd::deadlock);
}

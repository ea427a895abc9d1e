// SPDX-License-Identifier: MIT
// When a slice and an allotment of them end, and in which order those that ask for more are served.
#include "studies/cmmp/measuring/allotments.hpp"

#include "testing/catch.hpp"

#include <string>

namespace parley::cmmp {

namespace {

using Due = Allotments::Due;

// What is due at each of its next ticks: n, o or m.
std::string next_ticks(const Allotments& allotments, sched::Process& process, unsigned count)
{
    std::string due;
    while (count-- != 0) {
        ++process.ticks;
        const Due now = allotments.due(process);
        due += now == Due::nothing ? 'n' : now == Due::others_first ? 'o' : 'm';
    }
    return due;
}

} // namespace

TEST_CASE("after a slice others go first, and after an allotment more are asked for", "[sched]")
{
    Allotments allotments(3, 2);
    sched::Process process;
    process.ticks = process.allotted_at = 40;
    CHECK(next_ticks(allotments, process, 5) == "nnonn");
    // It asks as soon as it may, which may be later.
    CHECK(next_ticks(allotments, process, 2) == "mm");
    Allotments::grant(process);
    CHECK(next_ticks(allotments, process, 6) == "nnonnm");
}

TEST_CASE("requests are served one after the other, and only the first finds nobody serving", "[sched]")
{
    Allotments allotments(3, 2);
    sched::Process first, second, third;
    CHECK(allotments.ask(first));
    CHECK_FALSE(allotments.ask(second));
    CHECK(allotments.take() == &first);
    // The first is being served.
    CHECK_FALSE(allotments.ask(third));
    CHECK(allotments.take() == &second);
    CHECK(allotments.take() == &third);
    CHECK(allotments.take() == nullptr);
    CHECK(allotments.ask(first));
}

} // namespace parley::cmmp

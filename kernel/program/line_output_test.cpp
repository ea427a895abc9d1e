// SPDX-License-Identifier: MIT
#include "kernel/program/line_output.hpp"
#include "kernel/program/program_fakes.hpp"

#include "testing/catch.hpp"

using namespace parley::kernel;
using testing::FakeSink;

TEST_CASE("whole lines go out one by one with the node's number in front")
{
    FakeSink sink;
    LineOutput output(sink, 12);
    output.append("one\ntwo\nthr");
    output.append("ee\n\n");
    REQUIRE(sink.writes == std::vector<std::string>{"[12] one\n", "[12] two\n", "[12] three\n", "[12] \n"});
}

TEST_CASE("the job's name stands in front where jobs run together, alone or beside the node's number")
{
    FakeSink sink;
    LineOutput(sink, LineOutput::no_tag, "ring").append("one\n");
    LineOutput(sink, 3, "ring").append("two\n");
    LineOutput(sink, 3, std::string(99, 'n')).append("three\n");
    REQUIRE(sink.writes == std::vector<std::string>{"[ring] one\n", "[ring 3] two\n",
                                                    '[' + std::string(64, 'n') + " 3] three\n"});
}

TEST_CASE("an unfinished line is ended once at the end")
{
    FakeSink sink;
    LineOutput output(sink, LineOutput::no_tag);
    output.finish();
    output.append("no newline");
    output.finish();
    output.finish();
    REQUIRE(sink.all() == "no newline\n");
}

TEST_CASE("a line that is too long goes out in parts, unchanged and tagged once")
{
    FakeSink sink;
    LineOutput output(sink, 0);
    const std::string line(10'000, 'x');
    output.append(line);
    output.append("\n");
    REQUIRE(sink.all() == "[0] " + line + "\n");
    REQUIRE(sink.writes.size() == 3);
}

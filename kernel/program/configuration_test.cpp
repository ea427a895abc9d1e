// SPDX-License-Identifier: MIT
#include "kernel/program/configuration.hpp"

#include "testing/catch.hpp"

#include <string>

using namespace parley::kernel;

TEST_CASE("a configuration holds global keys and jobs")
{
    Configuration configuration;
    REQUIRE(read_configuration(
        configuration,
        "# a run\nprocessors 4\nclock counted\npause 1\nchecks reduced\n\n"
        "job first\n design exp1,port=reuse\napp bin/buffer\n"
        "nodes 3\nloops barrier=tree\nargs --access  \"a b\"\ntag 1\r\nlimit 30\nbudget 1048576\n"
        "job second\nnodes 1"));
    REQUIRE(configuration.processors == 4);
    REQUIRE(configuration.clock == Clock::counted);
    REQUIRE(configuration.checks == Checks::reduced);
    REQUIRE(configuration.pause);
    REQUIRE(configuration.all_jobs().size() == 2);
    const JobConfiguration& first = configuration.jobs[0];
    REQUIRE(first.name == "first");
    REQUIRE(first.design == "exp1,port=reuse");
    REQUIRE(first.app == "bin/buffer");
    REQUIRE(first.nodes == 3);
    REQUIRE(first.arguments == "--access  \"a b\"");
    REQUIRE(first.tag);
    REQUIRE(first.loops == "barrier=tree");
    REQUIRE(first.limit_seconds == 30);
    REQUIRE(first.budget_bytes == 1048576);
    REQUIRE(configuration.jobs[1].nodes == 1);
    REQUIRE(configuration.jobs[1].design == "exp6");
}

TEST_CASE("a configuration tells of clusters of processors and their memories")
{
    Configuration with_memory, without;
    REQUIRE(with_memory.clusters.number == 0);
    REQUIRE(read_configuration(with_memory, "clusters 4:8:67108864:33554432\n"));
    REQUIRE(with_memory.clusters.number == 4);
    REQUIRE(with_memory.clusters.processors == 8);
    REQUIRE(with_memory.clusters.memory_start == 64 << 20);
    REQUIRE(with_memory.clusters.memory_bytes == 32 << 20);
    REQUIRE(read_configuration(without, "clusters 2:4\n"));
    REQUIRE(without.clusters.number == 2);
    REQUIRE(without.clusters.memory_bytes == 0);
}

TEST_CASE("a configuration tells of the colours of page frames")
{
    Configuration configuration;
    REQUIRE(configuration.colours == 0);
    REQUIRE(read_configuration(configuration, "colours 128\n"));
    REQUIRE(configuration.colours == 128);
}

TEST_CASE("a wrong line is named with its number and a reason")
{
    struct Wrong {
        std::string text;
        unsigned line;
        std::string word;
    };
    const Wrong cases[] = {
        {"processors 4\npaint blue\n", 2, "paint"},
        {"nodes 2\n", 1, "nodes"},
        {"job a\n\nnodes 0\n", 3, "nodes"},
        {"job a\nnodes 2x\n", 2, "nodes"},
        {"clock fast\n", 1, "clock"},
        {"job\n", 1, "job"},
        {"pause yes", 1, "pause"},
        {"job a\ndesign\n", 2, "design"},
        {"job a\nbudget 99999999999999999999\n", 2, "budget"},
        {"machine", 1, "machine"},
        {"job a\nloops " + std::string(241, 'x'), 2, "loops"},
        {"clusters 4", 1, "clusters"},
        {"clusters 0:8", 1, "clusters"},
        {"clusters 4:8:4096", 1, "clusters"},
        {"clusters 4:8:100:8192", 1, "clusters"},
        {"clusters 4:8:4096:4096", 1, "clusters"},
        {"clusters 4:8:4096:8192:1", 1, "clusters"},
        {"colours 129", 1, "colours"},
        {"request 10000001", 1, "request"},
    };
    for (const Wrong& wrong : cases) {
        Configuration configuration;
        const auto result = read_configuration(configuration, wrong.text);
        REQUIRE(!result);
        REQUIRE(result.error().line == wrong.line);
        REQUIRE(result.error().word == wrong.word);
        REQUIRE(!result.error().sentence.empty());
    }
}

TEST_CASE("too many jobs are refused")
{
    std::string text;
    for (int job = 0; job < PARLEY_MAX_JOBS; ++job)
        text += "job x\n";
    Configuration full, fuller;
    REQUIRE(read_configuration(full, text));
    REQUIRE(read_configuration(fuller, text + "job x\n").error().line == PARLEY_MAX_JOBS + 1);
}

TEST_CASE("the command line overrides the first job and global values")
{
    Configuration configuration;
    REQUIRE(read_configuration(configuration, "processors 2\njob a\nnodes 2\njob b\nnodes 2\n"));
    REQUIRE(apply_command_line(configuration,
                               "/parley.elf processors=8 design=exp1 nodes=5 args=\"--access write\""));
    REQUIRE(configuration.processors == 8);
    REQUIRE(configuration.jobs[0].design == "exp1");
    REQUIRE(configuration.jobs[0].nodes == 5);
    REQUIRE(configuration.jobs[0].arguments == "--access write");
    REQUIRE(configuration.jobs[1].nodes == 2);
}

TEST_CASE("a command line alone makes a job, and a wrong word is named")
{
    Configuration configuration;
    REQUIRE(apply_command_line(configuration, "design=exp5"));
    REQUIRE(configuration.job_count == 1);
    REQUIRE(configuration.jobs[0].app == "bin/ring");
    REQUIRE(apply_command_line(configuration, "nodez=4").error().word == "nodez=4");
    REQUIRE(!apply_command_line(configuration, "args=\"open"));
}

TEST_CASE("arguments are split at blanks outside of quotes")
{
    char storage[64];
    std::string_view words[4];
    REQUIRE(split_words("  one \"two words\" th\\ ree\t\"\"", storage, words) == 4u);
    REQUIRE(words[0] == "one");
    REQUIRE(words[1] == "two words");
    REQUIRE(words[2] == "th ree");
    REQUIRE(words[3].empty());
    REQUIRE(words[1].data()[words[1].size()] == '\0');
    REQUIRE(split_words("", storage, words) == 0u);
    REQUIRE(!split_words("a b c d e", storage, words));
    REQUIRE(!split_words("\"open", storage, words));
    REQUIRE(!split_words("end\\", storage, words));
    REQUIRE(!split_words(std::string(64, 'x'), storage, words));
}

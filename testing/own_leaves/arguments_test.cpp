// SPDX-License-Identifier: MIT
// A leaf with arguments that the rest of the tree has never seen: this program's list of leaves is the
// project's and those of this folder. What is said of it in a design is refused with reason, written out, and
// reaches its constructor. Linked twice: with virtual and with static dispatch.
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/hosted_job.hpp"

#include <string>
#include <vector>

using namespace parley;
using behaviours::TestProcess;

namespace {

messaging::Design design_of(std::string_view text)
{
    messaging::Design design;
    REQUIRE(messaging::parse_design(text, design).text() == "");
    return design;
}

std::string canonical(std::string_view text)
{
    return std::string(messaging::canonical(design_of(text)).text());
}

std::string problem_of(std::string_view text)
{
    messaging::Design design;
    return std::string(messaging::parse_design(text, design).text());
}

// Sends messages of these lengths under a design, as the user-level library composes it: from the canonical
// text. Returns what csend answered.
std::vector<long> answers(std::string_view text, const std::vector<long>& lengths)
{
    std::vector<long> result;
    testing::HostedJob job({.design = design_of(canonical(text))});
    CHECK(job.run([&](TestProcess& peer) {
        const std::vector<char> bytes(70'000);
        if (peer.node() == 0)
            for (const long length : lengths)
                result.push_back(peer.send(1, bytes.data(), length, 1).value);
    }) == "");
    return result;
}

constexpr long refused = -static_cast<long>(Error::bad_argument);

} // namespace

TEST_CASE("what a leaf is not told is written out with its defaults")
{
    const std::string rest = "kernel,heavy,asynchronous,circular,buffered,spinlock,";
    CHECK(canonical("transfer=limited") == rest + "limited:1:2147483647");
    CHECK(canonical("exp6,limited:7") == rest + "limited:7:2147483647");
    CHECK(canonical("exp6,transfer=limited:007:300,ready-queue=shared") ==
          rest + "limited:7:300,ready-queue=shared");
    CHECK(design_of("limited:1") == design_of("limited"));
    CHECK(design_of("limited:1:2001") != design_of("limited"));
    CHECK(design_of(canonical("limited:3:333")) == design_of("exp6,limited:3:333"));
}

TEST_CASE("what a leaf cannot be told is refused with what it can be told")
{
    CHECK(problem_of("exp6,transfer=limited:0") ==
          "the least of transfer=limited is 1 to 100 bytes, in whole numbers, not '0'");
    CHECK(problem_of("exp6,limited:1:99").find("is 100 to 2147483647 bytes") != std::string::npos);
    CHECK(problem_of("limited:1:2:3") ==
          "transfer=limited takes at most 2 arguments, :least:most, not ':1:2:3'");
    CHECK(problem_of("exp6,transfer=double-copy:1") ==
          "transfer=double-copy takes no arguments; leave ':1' out");
    CHECK(problem_of("exp6:1,transfer=limited") ==
          "exp6 is a preset of classes, and only a class takes arguments; leave ':1' out");
    CHECK(problem_of("exp6,transfer:1").find("say transfer=") != std::string::npos);
    CHECK(problem_of("exp6,limted:1").find("'limited'") != std::string::npos);
    CHECK(problem_of("exp6,limited:1,transfer=limited:1") == "the transfer is chosen twice; say it once");
    CHECK(problem_of("ready-queue=shared:1") == "a ready queue is shared or private, not 'shared:1'");
}

TEST_CASE("what a leaf is told reaches its constructor")
{
    CHECK(answers("exp6,transfer=limited", {1, 2000, 70'000}) == std::vector<long>{0, 0, 0});
    CHECK(answers("exp6,transfer=limited:50:4000", {49, 50, 4000, 4001}) ==
          std::vector<long>{refused, 0, 0, refused});
}

TEST_CASE("a preset's class may be told something, and its name stands for that")
{
    CHECK(messaging::preset_name(design_of("exp6")) == "exp6");
    CHECK(messaging::preset_name(design_of("exp6,limited")) == "");
    for (const messaging::Preset& preset : messaging::presets())
        CHECK(design_of(messaging::canonical(preset.design).text()) == preset.design);
}

// SPDX-License-Identifier: MIT
#include "messaging/design/leaf_arguments.hpp"

#include "interface/start_info.h"
#include "messaging/design/design.hpp"
#include "testing/catch.hpp"

#include <algorithm>
#include <string>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr LeafArgument none[] = {{"turns", "looks before sleeping", units::number, 0, 9, 3}};
constexpr LeafArgument adaptive[] = {
    {"inline-limit", "longest message in its own memory", units::bytes, 0, 100, 100},
    {"double-copy-limit", "longest message that is copied twice", units::bytes, 0, 65'536, 8'192},
};
constexpr LeafArgument policy[] = {
    {"period", "time between two looks", units::duration, 1'000'000, 10'000'000'000, 300'000'000}};

std::string problem_of(std::span<const LeafArgument> arguments, std::string_view text)
{
    LeafValues values;
    return std::string(parse_arguments("factor=leaf", arguments, text, values).text());
}

// The canonical text of what was read.
std::string written(std::span<const LeafArgument> arguments, std::string_view text)
{
    LeafValues values;
    REQUIRE(parse_arguments("factor=leaf", arguments, text, values).text() == "");
    FixedString result;
    write_arguments(result, arguments, values);
    return std::string(result.text());
}

} // namespace

TEST_CASE("arguments stand in their order, and the rest have their defaults")
{
    CHECK(written({}, "") == "");
    CHECK(written(adaptive, "") == ":100:8192");
    CHECK(written(adaptive, ":0") == ":0:8192");
    CHECK(written(adaptive, ":0:65536") == ":0:65536");
    CHECK(written(none, ":9") == ":9");
}

TEST_CASE("a time has a unit, and is written with the largest that loses nothing")
{
    CHECK(written(policy, ":300ms") == ":300ms");
    CHECK(written(policy, ":300000us") == ":300ms");
    CHECK(written(policy, ":1500ms") == ":1500ms");
    CHECK(written(policy, ":10s") == ":10s");
    CHECK(written(policy, ":1000001ns") == ":1000001ns");
    for (const char* text :
         {":300", ":300m", ":ms", ":0ms", ":11s", ":300 ms", ":99999999999999999999s", ":18446744073709551s"})
        CHECK(problem_of(policy, text) == "the period of factor=leaf is 1ms to 10s, in whole numbers, not '" +
                                              std::string(text + 1) + "'");
}

TEST_CASE("what is no number, or too small or large, is refused with the range")
{
    for (const char* text :
         {":", ":x", ":-1", ":+1", ":1k", ":101", ":0x10", ":1.5", ":99999999999999999999999"})
        CHECK(problem_of(adaptive, text) ==
              "the inline-limit of factor=leaf is 0 to 100 bytes, in whole numbers, not '" +
                  std::string(text + 1) + "'");
    CHECK(problem_of(adaptive, "::8192").find("inline-limit") != std::string::npos);
    CHECK(problem_of(adaptive, ":1:").find("double-copy-limit") != std::string::npos);
    CHECK(problem_of(none, ":10") == "the turns of factor=leaf is 0 to 9, in whole numbers, not '10'");
}

TEST_CASE("a value may be a power of two or a word, and nothing else then")
{
    static constexpr std::string_view colours[] = {"red", "green"};
    static constexpr Unit colour{"", {}, false, colours};
    static constexpr LeafArgument painted[] = {{"size", "how large", units::power_of_two, 2, 64, 8},
                                               {"colour", "how painted", colour, 0, 1, 1}};
    CHECK(are_declared_well(painted));
    CHECK(written(painted, "") == ":8:green");
    CHECK(written(painted, ":16:red") == ":16:red");
    for (const char* text : {":3", ":128", ":1", ":0", ":red"})
        CHECK(problem_of(painted, text) ==
              "the size of factor=leaf is 2 to 64, a power of two, not '" + std::string(text + 1) + "'");
    for (const char* text : {"blue", "0", "", "re"})
        CHECK(problem_of(painted, ":8:" + std::string(text)) ==
              "the colour of factor=leaf is red or green, not '" + std::string(text) + "'");
}

TEST_CASE("too many arguments are refused with those there are")
{
    CHECK(problem_of(none, ":1:2") == "factor=leaf takes at most 1 argument, :turns, not ':1:2'");
    CHECK(problem_of(adaptive, ":1:2:3") ==
          "factor=leaf takes at most 2 arguments, :inline-limit:double-copy-limit, not ':1:2:3'");
    CHECK(problem_of({}, ":") == "factor=leaf takes no arguments; leave ':' out");
}

TEST_CASE("a declaration that no design could use does not compile")
{
    static constexpr LeafArgument unnamed[] = {{"Bad Name", "meaning", units::number, 0, 1, 0}};
    static constexpr LeafArgument outside[] = {{"name", "meaning", units::number, 0, 1, 2}};
    static constexpr LeafArgument crowd[] = {none[0], none[0], none[0], none[0], none[0],
                                             none[0], none[0], none[0], none[0]};
    static_assert(std::size(crowd) > LeafValues::most);
    CHECK(are_declared_well(adaptive));
    CHECK(are_declared_well({}));
    CHECK_FALSE(are_declared_well(unnamed));
    CHECK_FALSE(are_declared_well(outside));
    CHECK_FALSE(are_declared_well(crowd));
    static constexpr std::string_view one_word[] = {"only"};
    static constexpr Unit one{"", {}, false, one_word};
    static constexpr LeafArgument wordless[] = {{"name", "meaning", one, 0, 1, 0}};
    CHECK_FALSE(are_declared_well(wordless));
    CHECK(is_plain_name("policy-1"));
    for (const char* name : {"", "1st", "a:b", "a,b", "a b", "a$b", "a=b"})
        CHECK_FALSE(is_plain_name(name));
}

TEST_CASE("the longest canonical design fits its place in the start information")
{
    std::size_t longest = std::string(",ready-queue=shared").size();
    for (const std::string_view factor : factor_names()) {
        std::size_t widest = 0;
        for (const LeafInfo& leaf : leaves()) {
            if (leaf.factor != factor)
                continue;
            std::size_t width = leaf.name.size() + 1; // a comma
            for (const LeafArgument& argument : leaf.arguments)
                if (argument.unit.words.empty())
                    width += 1 + std::to_string(argument.most).size() + argument.unit.suffixes[0].text.size();
                else
                    width += 1 + std::ranges::max(argument.unit.words, {}, &std::string_view::size).size();
            widest = std::max(widest, width);
        }
        longest += widest;
    }
    CHECK(longest < sizeof parley_start::design);
    CHECK(longest < FixedString::most);
}

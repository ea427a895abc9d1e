// SPDX-License-Identifier: MIT
#include "interface/capabilities.h"
#include "interface/limits.h"
#include "messaging/design/design.hpp"

#include "testing/catch.hpp"

#include <string>

using namespace parley::messaging;

namespace {

std::string problem_of(std::string_view text)
{
    Design design;
    return std::string(parse_design(text, design).text());
}

std::string refusal_of(std::string_view text, MachineSize machine)
{
    Design design;
    REQUIRE(parse_design(text, design).empty());
    return std::string(refusal(design, machine).text());
}

} // namespace

TEST_CASE("a design is a preset and overrides, in full or by a class's name alone")
{
    Design design;
    REQUIRE(parse_design("exp6,synchronization=ticket,port=reuse", design).empty());
    CHECK(design.synchronization.name == "ticket");
    CHECK(design.port.name == "reuse");
    CHECK(design.transfer.name == "double-copy");
    Design same;
    REQUIRE(parse_design("exp6,ticket,reuse", same).empty());
    CHECK(same == design);
    REQUIRE(parse_design("exp3", design).empty());
    CHECK(design.shared_ready_queue);
    REQUIRE(parse_design("exp3,ready-queue=private", design).empty());
    CHECK_FALSE(design.shared_ready_queue);
    REQUIRE(parse_design("", design).empty());
    CHECK(preset_name(design) == "exp6");
}

TEST_CASE("a name that does not exist is answered with the nearest one")
{
    CHECK(problem_of("ex6").find("'exp6'") != std::string::npos);
    CHECK(problem_of("exp6,port=circulr").find("'circular'") != std::string::npos);
    CHECK(problem_of("exp6,synchronisation=ticket").find("'synchronization'") != std::string::npos);
    CHECK(problem_of("exp6,sync=ticket").find("'synchronization'") != std::string::npos);
    CHECK(problem_of("exp6,port=circ").find("'circular'") != std::string::npos);
    CHECK(problem_of("exp6,transfer=copying") ==
          "there is no transfer 'copying'; there are adaptive, broadcast-copy, double-copy, nx2, pointer, "
          "single-copy");
    CHECK(problem_of("exp6,ready-queue=own") != "");
    const std::string question = problem_of("exp6,port"); // names every port there is
    for (const LeafInfo& leaf : leaves())
        CHECK(
            (leaf.factor != "port" || question.find("port=" + std::string(leaf.name)) != std::string::npos));
    CHECK(problem_of("exp6,,") != "");
    CHECK(problem_of(std::string(5000, 'x')) != "");
}

TEST_CASE("a factor is chosen once")
{
    CHECK(problem_of("exp6,port=reuse,port=circular") == "the port is chosen twice; say it once");
    CHECK(problem_of("exp6,reuse,ticket,port=reuse") == "the port is chosen twice; say it once");
    CHECK(problem_of("exp3,ready-queue=private,ready-queue=shared").find("chosen twice") !=
          std::string::npos);
    CHECK(problem_of("exp6,port=reuse,synchronization=ticket") == "");
}

TEST_CASE("a class's name that several factors have is the first one's where it stands alone")
{
    Design design, again;
    REQUIRE(parse_design("exp5,kernel", design).empty());
    CHECK(design.location.name == "kernel");
    CHECK(design.synchronization.name == "spinlock");
    REQUIRE(parse_design("exp4,kernel,synchronization=kernel", design).empty());
    CHECK(
        canonical(design).text() ==
        "kernel,heavy,asynchronous,circular,buffered,synchronization=kernel,double-copy,ready-queue=shared");
    REQUIRE(parse_design(canonical(design).text(), again).empty());
    CHECK(again == design);
    REQUIRE(parse_design("exp4,policy-1:20ms", design).empty());
    CHECK(canonical(design).text().find(",policy-1:20ms:2,") != std::string_view::npos);
    CHECK(problem_of("exp4,synchronization=policy-1:-1ms") ==
          "the epsilon of synchronization=policy-1 is 0s to 3600s, in whole numbers, not '-1ms'");
}

TEST_CASE("a port that keeps no order serves Active Messages, and mailboxes have the port that it names")
{
    Design design;
    REQUIRE(parse_design("exp6,port=lock-free:64:4:7:cas", design).empty());
    CHECK(refusal(design, {2, 2}).empty());
    CHECK(mailbox_port(design) == LeafChoice("fifo", design.port.values));
    CHECK((capabilities_of(design) & NX_ACTIVE_MESSAGES_ONLY) != 0);
    REQUIRE(parse_design("exp6", design).empty());
    CHECK(mailbox_port(design) == design.port);
    CHECK((capabilities_of(design) & NX_ACTIVE_MESSAGES_ONLY) == 0);
}

TEST_CASE("static dispatch has a row for each preset, and beside one for each port that asks for it")
{
    REQUIRE(static_rows().size() > presets().size());
    for (std::size_t index = 0; index < presets().size(); ++index)
        CHECK(static_rows()[index].name == presets()[index].name);
    const auto has_row = [](std::string_view text) {
        Design design;
        CHECK(parse_design(text, design).empty());
        return has_static_row(design);
    };
    for (const std::string_view text : {"exp6", "exp6,location=user", "native,port=fifo",
                                        "native,port=lock-free:64:4:7:cas,ready-queue=shared"})
        CHECK(has_row(text));
    for (const std::string_view text : {"exp6,port=fifo", "native,port=reuse", "native,location=kernel",
                                        "native,port=fifo,synchronization=ticket", "native,light"})
        CHECK_FALSE(has_row(text));
}

TEST_CASE(
    "how two sources are polled is written out where it is not as usual, and refused where there is one")
{
    Design design;
    REQUIRE(parse_design("exp6,polling=fixed", design).empty());
    CHECK(canonical(design).text().find("fixed") == std::string_view::npos);
    CHECK(refusal(design, {2, 2}).empty());
    CHECK(preset_name(design) == "exp6");
    REQUIRE(parse_design("exp6,network,polling=adaptive:8", design).empty());
    CHECK(canonical(design).text().ends_with("double-copy,polling=adaptive:8:64:4096:256"));
    CHECK(refusal(design, {2, 2, 2}).empty());
    REQUIRE(parse_design("exp6,fractional:3", design).empty());
    CHECK(canonical(design).text().ends_with("double-copy,fractional:3"));
    CHECK(refusal(design, {2, 2}).text().find("has no network: leave the word out") !=
          std::string_view::npos);
    REQUIRE(parse_design("exp6,adaptive", design).empty());
    CHECK(design.transfer.name == "adaptive");
}

TEST_CASE("refusals are few, have reasons, and depend on the machine")
{
    CHECK(refusal_rules().size() <= 10);
    for (const RefusalRule& rule : refusal_rules())
        CHECK(rule.reason.size() > 20);
    CHECK(refusal_of("exp6,transport=process", {2, 2}).find("processor") != std::string::npos);
    CHECK(refusal_of("exp6,transport=process", {2, 3}) == "");
    CHECK(refusal_of("exp3", {2, 2}) == "");
    CHECK(refusal_of("exp3", {2, 1}) == "");
    CHECK(refusal_of("exp6", {4, 1}) == "");
    CHECK(refusal_of("exp6", {PARLEY_MAX_PROCESSES, PARLEY_MAX_PROCESSORS}) == "");
    CHECK(refusal_of("exp6", {PARLEY_MAX_PROCESSES + 1, PARLEY_MAX_PROCESSORS}) != "");
    CHECK(refusal_of("exp3", {PARLEY_MAX_PROCESSES, PARLEY_MAX_PROCESSORS}) != "");
}

TEST_CASE("a design is refused that names a class which the build has not")
{
    Design design;
    REQUIRE(parse_design("nx2", design).empty());
    design.transfer.name = "gone";
    CHECK(
        refusal(design, {2, 2}).text() ==
        "this build has no transfer 'gone', which the design names: choose another (transfer=), or bring the "
        "class's file back and build again");
}

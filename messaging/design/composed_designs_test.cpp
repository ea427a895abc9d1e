// SPDX-License-Identifier: MIT
// Every behaviour under every design that the factors can be composed to.
#include "messaging/behaviours/basics.hpp"
#include "messaging/behaviours/blocks.hpp"
#include "messaging/behaviours/requests.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/hosted_job.hpp"

#include <span>
#include <string>

using namespace parley;

namespace {

// All of them, or a sample (see selection.hpp).
void try_designs(std::span<const behaviours::Behaviour> list)
{
    const auto designs = testing::every_design();
    messaging::Design selected;
    for (const messaging::LeafChoice& port : testing::choices_of("port"))
        if (port.name == testing::selected_leaf())
            selected.port = port;
    const std::size_t of_a_leaf = messaging::traits_of(selected).keeps_order ? 1 : 0;
    REQUIRE(designs.size() >= (testing::selected_leaf().empty() ? 192 : of_a_leaf));
    for (std::size_t index = 0; index < designs.size(); index += testing::sample_stride()) {
        const auto name = messaging::canonical(designs[index]);
        testing::at(name.text());
        for (const behaviours::Behaviour& behaviour : list) {
            if (!behaviour.applies(testing::capabilities_in_tests(designs[index])))
                continue;
            INFO(std::string(name.text()) << ": " << behaviour.sentence);
            testing::HostedJob job(
                {.design = designs[index], .nodes = static_cast<unsigned>(behaviour.nodes)});
            CHECK(job.run(behaviour.run) == "");
        }
    }
}

} // namespace

TEST_CASE("every design has the basic behaviours") { try_designs(behaviours::basics); }

TEST_CASE("every design has the behaviours of requests and probes") { try_designs(behaviours::requests); }

TEST_CASE("every design has the behaviours of blocks that apply to it") { try_designs(behaviours::blocks); }

TEST_CASE("designs that wait by semaphores have all behaviours")
{
    for (const std::string_view synchronization :
         {"kernel", "policy-0", "policy-1", "policy-1:0ms:1", "policy-1:1ms:3"})
        for (const std::string_view preset : {"exp4", "exp3", "exp4,location=user"}) {
            const std::string text = std::string(preset) + ",synchronization=" + std::string(synchronization);
            messaging::Design design;
            REQUIRE(messaging::parse_design(text, design).empty());
            if (!testing::is_selected(design))
                continue;
            testing::at(text);
            parley_semaphore_counts all{};
            using List = std::span<const behaviours::Behaviour>;
            for (const List list :
                 {List(behaviours::basics), List(behaviours::requests), List(behaviours::blocks)})
                for (const behaviours::Behaviour& behaviour : list) {
                    if (!behaviour.applies(testing::capabilities_in_tests(design)))
                        continue;
                    INFO(text << ": " << behaviour.sentence);
                    testing::HostedJob job(
                        {.design = design, .nodes = static_cast<unsigned>(behaviour.nodes)});
                    CHECK(job.run(behaviour.run) == "");
                    const parley_semaphore_counts counts = job.semaphore_counts();
                    CHECK(counts.page_writes >= counts.page_reads);
                    all.waits += counts.waits;
                    all.policy_runs += counts.policy_runs;
                    all.in_time += counts.in_time;
                }
            INFO(text);
            CHECK(all.waits != 0);
            // Whether a wait is over before epsilon is the host's affair.
            if (synchronization == "policy-1" || synchronization == "policy-1:1ms:3")
                CHECK(all.policy_runs + all.in_time != 0);
            else {
                CHECK((all.policy_runs != 0) == (synchronization != "kernel"));
                CHECK(all.in_time == 0);
            }
        }
}

// A sample tries each preset with one polling, by turns, so that every preset and every polling is tried.
TEST_CASE("processes that look into interfaces have all behaviours under each polling")
{
    using List = std::span<const behaviours::Behaviour>;
    const char* const presets[] = {"exp6", "exp1", "exp2,location=user", "nx2"};
    const std::vector<messaging::LeafChoice> pollings = testing::choices_of("polling");
    const bool is_sample = testing::sample_stride() > 1;
    for (std::size_t turn = 0; turn < std::size(presets); ++turn)
        for (std::size_t at = 0; at < pollings.size(); ++at) {
            if (is_sample && at != turn % pollings.size())
                continue;
            const std::string text = std::string(presets[turn]) +
                                     ",transport=interfaces:2:0ns:0ns:1000:8:50ns:2" +
                                     ",polling=" + std::string(pollings[at].name);
            messaging::Design design;
            REQUIRE(messaging::parse_design(text, design).text() == "");
            if (!testing::is_selected(design))
                continue;
            testing::at(text);
            for (const List list :
                 {List(behaviours::basics), List(behaviours::requests), List(behaviours::blocks)})
                for (const behaviours::Behaviour& behaviour : list) {
                    if (behaviour.nodes < 2 || !behaviour.applies(testing::capabilities_in_tests(design)))
                        continue;
                    INFO(text << ": " << behaviour.sentence);
                    testing::HostedJob job(
                        {.design = design, .nodes = static_cast<unsigned>(behaviour.nodes)});
                    CHECK(job.run(behaviour.run) == "");
                }
        }
}

TEST_CASE("every named preset is one of the designs and has its name")
{
    for (const messaging::Preset& preset : messaging::presets()) {
        messaging::Design design;
        CHECK(messaging::parse_design(preset.name, design).empty());
        CHECK(messaging::preset_name(design) == preset.name);
        messaging::Design again;
        CHECK(messaging::parse_design(messaging::canonical(design).text(), again).empty());
        CHECK(again == design);
    }
}

// SPDX-License-Identifier: MIT
// Which words say what is injected, and which say nothing.
#include "studies/cmmp/measuring/losses.hpp"

#include "testing/catch.hpp"

namespace parley::cmmp {

TEST_CASE("nothing is injected unless words say so", "[losses]")
{
    const auto none = read_losses("", 1);
    REQUIRE(none);
    CHECK((none->slow == 0 && none->slice == 0 && none->device_every == 0 && none->banks == 0 &&
           none->samples == 1 && none->tick == 10));
}

TEST_CASE("each word has its value, in any order", "[losses]")
{
    const auto read = read_losses("banks=16 samples=0 slow=2  slowdown=155 stealing=0 slice=500 "
                                  "tick=250 allotment=3 request=7 device_every=50000 device_owner=3 "
                                  "device_asker=1 service_longest=49999 service_shortest=2",
                                  4);
    REQUIRE(read);
    CHECK((read->banks == 16 && read->samples == 0 && read->slow == 2 && read->slowdown == 155 &&
           read->stealing == 0));
    CHECK((read->slice == 500 && read->tick == 250 && read->allotment == 3 && read->request == 7));
    CHECK((read->device_every == 50'000 && read->device_owner == 3 && read->device_asker == 1));
    CHECK((read->service_shortest == 2 && read->service_longest == 49'999));
}

TEST_CASE("what a machine cannot be is refused in a sentence that names the word", "[losses]")
{
    const struct {
        std::string_view words, named;
    } wrong[] = {
        {"slow=65", "slow "},
        {"slow=x", "slow "},
        {"slow=", "slow "},
        {"slow", "slow "},
        {"slowdown=99", "slowdown"},
        {"slowdown=18446744073709551716", "slowdown"},
        {"stealing=2", "stealing"},
        {"slice=15", "slice"},
        {"slice=10010", "slice"},
        {"tick=0", "tick"},
        {"tick=1010", "tick"},
        {"tick=15", "tick"},
        {"slice=500 tick=30", "multiple of tick"},
        {"allotment=0", "allotment"},
        {"request=-1", "request"},
        {"device_owner=64", "device_owner"},
        {"device_every=0", "device_every"},
        {"service_longest=0", "service_longest"},
        {"banks=17", "banks"},
        {"samples=2", "samples"},
        {"drum=1", "no loss"},
        {"device_every=10000 device_owner=4", "processors that run jobs"},
        {"device_every=10000 device_asker=4", "processors that run jobs"},
        {"device_every=10000 service_shortest=9 service_longest=8", "longest service"},
        {"device_every=10000 service_longest=10000", "longest service"},
    };
    for (const auto& [words, named] : wrong) {
        INFO(words);
        const auto read = read_losses(words, 4);
        REQUIRE_FALSE(read);
        CHECK(read.error().find(named) != std::string_view::npos);
    }
}

} // namespace parley::cmmp

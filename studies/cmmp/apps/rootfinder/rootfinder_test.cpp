// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include <cmath>
#include <string>
#include <vector>

extern "C" {
#include "studies/cmmp/apps/rootfinder/interval.h"
#include "studies/cmmp/apps/rootfinder/lengths.h"
#include "studies/cmmp/apps/rootfinder/options.h"
#include "studies/cmmp/apps/rootfinder/tail.h"
}

namespace {

const long printed_stages[] = {54, 34, 27, 23, 21, 19, 18, 17, 16, 16, 15, 15};

long double reference(long double x) { return erfcl(x * std::sqrt(0.5L)) / 2; }
long double density(long double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0L)); }

struct Found {
    long double root;
    long stages;
    bool crossed;
};

Found found(long root, long processes)
{
    interval where = interval_for(root);
    Found result{0, 0, true};
    for (; !interval_is_found(&where) && result.crossed; ++result.stages) {
        std::vector<long double> values;
        for (long process = 1; process <= processes; ++process)
            values.push_back(tail_probability(interval_point(&where, process, processes), nullptr) -
                             root_level(root));
        result.crossed = interval_find(&where, values.data(), processes) != 0;
    }
    result.root = (where.low + where.high) / 2;
    return result;
}

lengths drawn(length_kind kind) { return {kind, 10'000, 25, 7}; }

struct LengthMoments {
    double mean, deviation;
};

LengthMoments moments(const lengths& lengths)
{
    double sum = 0, squares = 0;
    long count = 0;
    for (long root = 0; root < 50; ++root)
        for (long stage = 0; stage < 50; ++stage)
            for (long process = 1; process <= 4; ++process, ++count) {
                const double length = static_cast<double>(length_of(&lengths, root, stage, process));
                sum += length;
                squares += length * length;
            }
    const double mean = sum / static_cast<double>(count);
    return {mean, std::sqrt(squares / static_cast<double>(count) - mean * mean)};
}

const char* parse(rootfinder_options& options, std::vector<const char*> words)
{
    words.insert(words.begin(), "rootfinder");
    return rootfinder_parse(&options, static_cast<int>(words.size()), const_cast<char**>(words.data()));
}

} // namespace

TEST_CASE("the rootfinder's function is the normal tail, on both sides of its switch")
{
    for (long double x = 0; x <= 12; x += 0.0137L) {
        long steps = 0;
        const long double wanted = reference(x);
        INFO("at " << static_cast<double>(x));
        REQUIRE(std::fabs(tail_probability(x, &steps) - wanted) <=
                (x < 2.32L ? 1e-17L / 2 : wanted * 1e-15L));
        CHECK(steps < 400);
    }
    // How long it takes depends on x: that is what it was chosen for.
    long near = 0, middle = 0, far = 0;
    (void)tail_probability(0.1L, &near);
    (void)tail_probability(2.3L, &middle);
    (void)tail_probability(9.0L, &far);
    CHECK(near < middle);
    CHECK(far < middle);
}

TEST_CASE("the rootfinder takes the documents' stages and finds its roots, with any number of processes")
{
    for (long processes = 1; processes <= most_processes; ++processes) {
        CHECK(interval_stages(processes) == printed_stages[processes - 1]);
        for (long root = 0; root < root_count; ++root) {
            const Found result = found(root, processes);
            INFO(processes << " processes, root " << root);
            REQUIRE(result.crossed);
            CHECK(result.stages == printed_stages[processes - 1]);
            CHECK(std::fabs(reference(result.root) - root_level(root)) / density(result.root) <=
                  interval_epsilon);
        }
    }
}

TEST_CASE("the rootfinder keeps the part with the change of sign, whichever way the function goes")
{
    for (const long double sign : {1.0L, -1.0L}) {
        interval where{0, 4, sign * 1, sign * -1};
        const long double values[] = {sign * 1, sign * -1, sign * -1};
        REQUIRE(interval_find(&where, values, 3) == 1);
        CHECK(where.low == 1);
        CHECK(where.high == 2);
        CHECK(where.at_low == sign * 1);
        CHECK(where.at_high == sign * -1);
    }
    interval level{0, 4, 1, 1};
    const long double values[] = {1, 1, 1};
    CHECK(interval_find(&level, values, 3) == 0);
    interval at_an_end{0, 4, 1, -1};
    REQUIRE(interval_find(&at_an_end, values, 3) == 1);
    CHECK(at_an_end.low == 3);
    CHECK(at_an_end.high == 4);
}

TEST_CASE("drawn lengths follow their distributions and are the same whenever they are asked for")
{
    const LengthMoments constant = moments(drawn(length_constant));
    CHECK(constant.mean == 10'000);
    CHECK(constant.deviation == 0);
    const LengthMoments normal = moments(drawn(length_normal));
    CHECK(std::fabs(normal.mean - 10'000) < 150);
    CHECK(std::fabs(normal.deviation - 2'500) < 150);
    const LengthMoments exponential = moments(drawn(length_exponential));
    CHECK(std::fabs(exponential.mean - 10'000) < 400);
    CHECK(std::fabs(exponential.deviation - 10'000) < 600);
    lengths one = drawn(length_exponential), other = one;
    other.seed = 8;
    CHECK(length_of(&one, 3, 4, 5) == length_of(&one, 3, 4, 5));
    CHECK(length_of(&one, 3, 4, 5) != length_of(&other, 3, 4, 5));
    lengths wide = drawn(length_normal);
    wide.deviation = 1000;
    for (long stage = 0; stage < 200; ++stage)
        CHECK(length_of(&wide, 0, stage, 1) >= 0);
}

TEST_CASE("the rootfinder's options are read, and what is wrong with them is one sentence")
{
    rootfinder_options options;
    REQUIRE(parse(options, {}) == nullptr);
    CHECK(options.lengths.kind == length_authentic);
    CHECK(options.lengths.mean == 1);
    CHECK(options.carrier == carried_by_semaphores);
    CHECK(options.roots == 50);
    REQUIRE(parse(options, {"--lengths", "normal", "--mean", "10", "--seed", "3", "--roots", "2"}) ==
            nullptr);
    CHECK(options.lengths.kind == length_normal);
    CHECK(options.lengths.mean == 10);
    CHECK(options.lengths.seed == 3);
    CHECK(options.roots == 2);
    REQUIRE(parse(options, {"--work", "30"}) == nullptr);
    CHECK(options.lengths.mean == 30);
    CHECK((options.every == 1 && options.fixed == 0));
    REQUIRE(parse(options, {"--roots", "3", "--every", "24", "--fixed", "9"}) == nullptr);
    CHECK((options.every == 24 && options.fixed == 9));
    CHECK(parse(options, {"--roots", "3", "--every", "25"}) ==
          std::string("--every N leaves fewer roots of the 50 than --roots says: say a smaller --roots"));
    CHECK(parse(options, {"--roots", "51"}) == std::string("--roots 51: a number from 1 to 50"));
    CHECK(parse(options, {"--lengths", "long"}) ==
          std::string("--lengths long: authentic, constant, normal or exponential"));
    REQUIRE(parse(options, {"--carry", "messages"}) == nullptr);
    CHECK(options.carrier == carried_by_messages);
    CHECK(!options.together);
    REQUIRE(parse(options, {"--wake", "together"}) == nullptr);
    CHECK(options.together);
    CHECK(parse(options, {"--wake", "up"}) == std::string("--wake up: one-by-one or together"));
    CHECK(parse(options, {"--carry", "pigeons"}) ==
          std::string("--carry pigeons: semaphores, messages or collective"));
    CHECK(parse(options, {"--mean"}) ==
          std::string("--mean: no such option, or its value is missing (try --help)"));
    CHECK(parse(options, {"--speed", "1"}) == std::string("--speed: no such option (try --help)"));
}

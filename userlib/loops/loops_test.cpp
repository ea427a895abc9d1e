// SPDX-License-Identifier: MIT
// What every distribution, barrier and wait does, with real threads.
#include "messaging/design/leaf_arguments.hpp"
#include "testing/catch.hpp"
#include "testing/selection.hpp"
#include "userlib/loops/loop.hpp"
#include "userlib/loops/member.hpp"
#include "userlib/loops/testing/made_leaves.hpp"

#include "userlib/loops/leaves.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <thread>

using namespace parley;
using namespace parley::loops;
using loops::testing::Ledger;
using loops::testing::MadeBarrier;
using loops::testing::MadeDistribution;

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

void on_threads(unsigned threads, const std::function<void(unsigned)>& body)
{
    std::vector<std::thread> running;
    for (unsigned number = 1; number < threads; ++number)
        running.emplace_back(body, number);
    body(0);
    for (std::thread& thread : running)
        thread.join();
}

template <class Use>
void for_each_distribution(Use use)
{
    parley::testing::for_each_leaf<DistributionLeaves>([&]<class Leaf>() {
        INFO("distribution=" << Leaf::name);
        use(distribution(Leaf::name));
    });
}

template <class Leaves, class OneKind, class Use>
void for_each_kind(std::span<const OneKind> kinds, Use use)
{
    parley::testing::for_each_leaf<Leaves>([&]<class Leaf>() {
        for (const OneKind& kind : kinds)
            if (kind.name == Leaf::name)
                use(Chosen<OneKind>{&kind, messaging::completed(kind.arguments)});
    });
}

// By turns in one thread, as long as anybody gets some; at most so many chunks each.
Ledger handed_out_by_turns(const Chosen<DistributionKind>& chosen, std::uint64_t count, unsigned threads,
                           std::size_t most_chunks = ~std::size_t{0}, unsigned of_each = 0)
{
    MadeDistribution made(chosen, count, threads, of_each);
    std::vector<Cursor> cursors(threads);
    Ledger ledger;
    unsigned had_last = threads;
    bool had_last_and_more = false;
    for (bool going_on = true; going_on && ledger.size() < most_chunks;) {
        going_on = false;
        for (unsigned number = 0; number < threads; ++number)
            if (Chunk chunk{}; made.leaf().next(number, cursors[number], chunk)) {
                ledger.add(chunk);
                going_on = true;
                had_last_and_more = had_last_and_more || had_last == number;
                had_last = chunk.end == count ? number : had_last;
            }
    }
    CHECK(!had_last_and_more);
    return ledger;
}

} // namespace

TEST_CASE("every distribution hands out each iteration once to any number of threads")
{
    for_each_distribution([](const Chosen<DistributionKind>& chosen) {
        for (const unsigned threads : {1u, 2u, 3u, 7u, 16u})
            for (const std::uint64_t count : {0u, 1u, 5u, 17u, 300u}) {
                INFO(threads << " threads, " << count << " iterations");
                CHECK(handed_out_by_turns(chosen, count, threads).fault(count) == "");
            }
    });
}

TEST_CASE("every distribution hands out each iteration once where clusters have their threads' lines")
{
    for_each_distribution([](const Chosen<DistributionKind>& chosen) {
        constexpr std::uint64_t count = 300;
        for (const unsigned of_each : {1u, 4u, 8u})
            CHECK(handed_out_by_turns(chosen, count, 16, ~std::size_t{0}, of_each).fault(count) == "");
    });
}

TEST_CASE("every distribution hands out each iteration once while threads take them at once")
{
    for_each_distribution([](const Chosen<DistributionKind>& chosen) {
        constexpr unsigned threads = 3;
        constexpr std::uint64_t count = 5'000;
        MadeDistribution made(chosen, count, threads);
        Ledger ledgers[threads];
        on_threads(threads, [&](unsigned number) {
            Cursor cursor;
            for (Chunk chunk{}; made.leaf().next(number, cursor, chunk);)
                ledgers[number].add(chunk);
        });
        for (unsigned number = 1; number < threads; ++number)
            ledgers[0].merge(ledgers[number]);
        CHECK(ledgers[0].fault(count) == "");
    });
}

// One thread is as far ahead of the others as it can be, by turns each of them.
TEST_CASE("a distribution that keeps the order gives each thread its iterations in their order")
{
    for_each_distribution([](const Chosen<DistributionKind>& chosen) {
        if (!chosen.kind->keeps_order)
            return;
        constexpr unsigned threads = 4;
        for (unsigned ahead = 0; ahead < threads; ++ahead) {
            MadeDistribution made(chosen, 300, threads);
            std::array<Cursor, threads> cursors{};
            std::array<std::uint64_t, threads> had{};
            bool in_order = true;
            const auto take = [&](unsigned number) {
                Chunk chunk{};
                if (!made.leaf().next(number, cursors[number], chunk))
                    return false;
                in_order = in_order && chunk.first >= had[number];
                had[number] = chunk.end;
                return true;
            };
            take((ahead + 1) % threads);
            while (take(ahead))
                ;
            for (unsigned number = 0; number < threads; ++number)
                while (take(number))
                    ;
            CHECK(in_order);
        }
    });
}

TEST_CASE("a distribution that says nothing of the order does not promise it")
{
    struct SaysNothing final : Distribution {
        bool next(unsigned, Cursor&, Chunk&) override { return false; }
    };
    CHECK(!SaysNothing::keeps_order);
}

TEST_CASE("one thread alone gets all iterations of a distribution that waits for nobody")
{
    for_each_distribution([](const Chosen<DistributionKind>& chosen) {
        if (chosen.kind->name == "static")
            return;
        MadeDistribution made(chosen, 100, 4);
        Cursor cursor;
        Ledger ledger;
        for (Chunk chunk{}; made.leaf().next(2, cursor, chunk);)
            ledger.add(chunk);
        // Of a hierarchy whose clusters are larger than the team, too.
        CHECK(ledger.fault(100) == "");
    });
}

TEST_CASE("the largest counts and arguments do not overflow")
{
    for_each_distribution([](const Chosen<DistributionKind>& standard) {
        std::vector<Chosen<DistributionKind>> told{standard};
        LeafValues largest;
        for (const LeafArgument& argument : standard.kind->arguments)
            largest.add(argument.most);
        told.push_back({standard.kind, largest});
        for (const Chosen<DistributionKind>& chosen : told)
            for (const std::uint64_t count :
                 {most, most - 1, most / 2 + 1, std::uint64_t{1} << 33, std::uint64_t{3}}) {
                MadeDistribution made(chosen, count, 3);
                Cursor cursors[3];
                std::uint64_t had = 0;
                unsigned wrong = 0;
                for (unsigned turn = 0; turn < 300; ++turn)
                    if (Chunk chunk{}; made.leaf().next(turn % 3, cursors[turn % 3], chunk)) {
                        wrong += chunk.first >= chunk.end || chunk.end > count ||
                                 chunk.end - chunk.first > count - had;
                        had += chunk.end - chunk.first;
                    }
                CHECK(had > 0);
                CHECK(wrong == 0);
            }
    });
}

TEST_CASE("a nest in which a loop has no iterations takes no memory for those that follow it")
{
    constexpr std::size_t outer = 3;
    const auto bytes = [](const std::array<std::uint64_t, 4>& counts) {
        return IterationPosts::bytes(counts);
    };
    const std::size_t some = bytes({outer, 2, 4, 5});
    CHECK(some != 0);
    CHECK(bytes({outer, 0, 4, most}) == some);
    CHECK(bytes({outer, 2, 4, most}) == 0);
}

TEST_CASE("every barrier under every wait lets nobody on before all have come")
{
    for_each_kind<BarrierLeaves>(barriers(), [](const Chosen<BarrierKind>& barrier) {
        for_each_kind<WaitLeaves>(waits(), [&](const Chosen<WaitKind>& wait) {
            for (const unsigned threads : {1u, 2u, 3u}) {
                INFO("barrier=" << barrier.kind->name << ",wait=" << wait.kind->name << ", " << threads
                                << " threads");
                constexpr unsigned rounds = 9;
                MadeBarrier made(barrier, wait, threads, true);
                std::vector<unsigned> come(threads * 64); // plain: the barrier orders it
                std::atomic<unsigned> wrong{0};
                Signal go; // the next round of those whom a gathering has let go on
                on_threads(threads, [&](unsigned number) {
                    NothingElse nothing;
                    for (unsigned round = 1; round <= rounds; ++round) {
                        const std::uint32_t before = go.seen();
                        come[number * 64] = round;
                        const bool gathers = round % 3 == 0;
                        if (gathers)
                            made.leaf().gather(number, nothing);
                        else
                            made.leaf().meet(number, nothing);
                        if (!gathers || number == 0)
                            for (unsigned other = 0; other < threads; ++other)
                                wrong += come[other * 64] != round;
                        if (gathers && number == 0)
                            go.move_on();
                        else if (gathers)
                            made.wait().until_moved(go, before, nothing);
                        made.leaf().meet(number, nothing); // nobody writes while others read
                    }
                });
                CHECK(wrong == 0);
            }
        });
    });
}

TEST_CASE("words for loops are read, and refused by a sentence")
{
    const auto refusal = [](std::string_view text) {
        Choice choice = standard_choice();
        const messaging::FixedString problem = parse_choice(text, choice);
        return std::string(problem.text());
    };
    Choice choice = standard_choice();
    CHECK(parse_choice("distribution=chunk:16,barrier=tree,wait=sleeping", choice).empty());
    CHECK(written(choice).text() == "distribution=chunk:16,barrier=tree:4,wait=sleeping");
    CHECK(refusal("distribution=chunk:0") ==
          "the chunk of distribution=chunk is 1 to 9223372036854775807, in whole numbers, not '0'");
    CHECK(refusal("distribution=xdoall:3") == "distribution=xdoall takes no arguments; leave ':3' out");
    CHECK(refusal("barrier=wall").starts_with("there is no barrier 'wall'; there are "));
    CHECK(refusal("loops=xdoall") ==
          "'loops=xdoall' is none of distribution=, barrier=, wait= and clusters=");
}

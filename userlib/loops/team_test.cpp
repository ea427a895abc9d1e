// SPDX-License-Identifier: MIT
// Teams with real threads: what entry points stand on, as the thread sanitizer sees it.
#include "testing/catch.hpp"
#include "userlib/loops/reduction_blocks.hpp"
#include "userlib/loops/schedules.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <atomic>
#include <thread>
#include <vector>

using namespace parley;
using namespace parley::loops;

namespace {

template <class Body>
void in_team(unsigned threads, Body body, const LoopPlan* plan = nullptr)
{
    run_in_team([](void* given) { (*static_cast<Body*>(given))(); }, &body, threads, plan);
}

LoopPlan plan_of(std::uint64_t count, std::string_view name)
{
    return {count, 0, 1, count, distribution(name), false};
}

// In a thread of its own, with whose end its helpers end.
template <class Body>
void by_itself(Body body)
{
    std::thread(body).join();
}

template <class Use>
void for_each_iteration(Use use)
{
    for (Chunk chunk{}; this_thread().next_chunk(chunk);)
        for (std::uint64_t at = chunk.first; at < chunk.end; ++at)
            use(at);
}

// A task that counts down to nothing by tasks of its own.
struct Counting {
    std::atomic<unsigned>* done;
    unsigned depth;

    static void run(void* given)
    {
        const Counting self = *static_cast<Counting*>(given);
        ++*self.done;
        for (unsigned child = 0; child < 2 && self.depth > 0; ++child)
            queue({self.done, self.depth - 1});
    }
    static void queue(Counting what)
    {
        void* own = nullptr;
        Task* const task = Tasks::make(sizeof what, alignof(Counting), own);
        *static_cast<Counting*>(own) = what;
        task->body = &run;
        task->argument = own;
        this_thread().queue(*task);
    }
};

} // namespace

TEST_CASE("teams of any size run a body, one after another and one within another")
{
    by_itself([] {
        std::atomic<unsigned> entered{0};
        for (const unsigned threads : {3u, 1u, 2u, 4u, 3u}) {
            entered = 0;
            std::vector<unsigned> told(4);
            in_team(threads, [&] {
                told[this_thread().number()] = this_thread().team().threads();
                ++entered;
                this_thread().meet();
                for (unsigned other = 0; other < threads; ++other)
                    entered += told[other] != threads;
            });
            CHECK(entered == threads);
        }
        CHECK(this_thread().level() == 0);
        this_thread().own_settings().most_active_levels = 2;
        entered = 0;
        for (unsigned round = 0; round < 3; ++round)
            in_team(2, [&] { in_team(2, [&] { entered += this_thread().level() == 2; }); });
        CHECK(entered == 12);
    });
}

TEST_CASE("threads that run ahead come to each loop of a team in its order")
{
    by_itself([] {
        std::atomic<std::uint64_t> sum{0};
        in_team(3, [&] {
            for (unsigned round = 0; round < 40; ++round) {
                this_thread().enter_loop(plan_of(round, round % 2 == 0 ? "stealing" : "xdoall"));
                for_each_iteration([&](std::uint64_t at) { sum += at; });
                this_thread().leave_loop();
            }
        });
        CHECK(sum == 9880); // of 0 to round - 1, of all rounds
        sum = 0;
        const LoopPlan plan = plan_of(100, "guided");
        in_team(
            3,
            [&] {
                for_each_iteration([&](std::uint64_t at) { sum += at; });
                this_thread().leave_loop();
            },
            &plan);
        CHECK(sum == 4950);
    });
}

// 2^32 loops of 150 ns are ten minutes.
TEST_CASE("the number of a loop's uses goes on when a team has come to as many loops as a word counts")
{
    constexpr std::uint64_t all = std::uint64_t{1} << 32;
    CHECK(Team::use(all) == Team::use(all - 1) + 1);
    CHECK(Team::use(all * 8) == static_cast<std::uint32_t>(Team::use(all * 8 - 1) + 1));
}

TEST_CASE("ordered regions come in the order of iterations under every distribution")
{
    by_itself([] {
        for (const DistributionKind& kind : distributions()) {
            INFO("distribution=" << kind.name);
            std::uint64_t next = 0; // plain: the regions order it
            unsigned wrong = 0;
            in_team(3, [&] {
                LoopPlan plan = plan_of(60, kind.name);
                plan.ordered = true;
                this_thread().enter_loop(plan);
                for_each_iteration([&](std::uint64_t at) {
                    if (at % 7 == 3)
                        return;
                    this_thread().await_turn();
                    wrong += at < next;
                    next = at + 1;
                    this_thread().end_turn();
                });
                this_thread().leave_loop();
            });
            CHECK(next == 59); // 59 itself goes by
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("tasks, and those that they make, are done when a team has met and when its body ends")
{
    by_itself([] {
        std::atomic<unsigned> done{0};
        unsigned early = 0;
        for (unsigned round = 0; round < 20; ++round) {
            done = 0;
            in_team(3, [&] {
                if (this_thread().number() == round % 3)
                    Counting::queue({&done, 4});
                this_thread().meet();
                if (this_thread().number() == 0)
                    early += done != 31;
                this_thread().meet();
                if (this_thread().number() == 0)
                    Counting::queue({&done, 3});
            });
            CHECK(done == 31 + 15);
        }
        CHECK(early == 0);
    });
}

TEST_CASE("a task has the settings of the task that made it, whoever runs it")
{
    struct Told {
        std::atomic<bool> is_done{false};
        std::uintptr_t allocator = 0, of_child = 0;
        unsigned threads = 0, runner = 0;
    };
    by_itself([] {
        for (const unsigned changing : {1u, 0u}) {
            Told told;
            std::uintptr_t kept = 0;
            this_thread().set_threads(4);
            this_thread().own_settings().allocator = 3;
            in_team(2, [&] {
                Member& self = this_thread();
                if (self.number() == changing) {
                    self.set_threads(7);
                    self.own_settings().allocator = 5;
                }
                self.meet();
                if (self.number() == 0) {
                    void* own = nullptr;
                    Task* const task = Tasks::make(0, 1, own);
                    task->body = [](void* given) {
                        Told& of = *static_cast<Told*>(given);
                        of.allocator = this_thread().settings().allocator;
                        of.threads = team_size(this_thread(), 0, Nesting::always);
                        this_thread().run_at_once(
                            [](void* of_child) {
                                *static_cast<std::uintptr_t*>(of_child) = this_thread().settings().allocator;
                            },
                            &of.of_child, false);
                        this_thread().own_settings().allocator = 6;
                        of.runner = this_thread().number();
                        of.is_done = true;
                    };
                    task->argument = &told;
                    self.queue(*task);
                    while (!told.is_done)
                        std::this_thread::yield();
                }
                self.meet();
                if (self.number() == 1)
                    kept = self.settings().allocator;
            });
            CHECK(told.runner == 1);
            CHECK(told.allocator == (changing == 0 ? 5 : 3));
            CHECK(told.of_child == told.allocator);
            CHECK(told.threads == (changing == 0 ? 7 : 4));
            CHECK(kept == (changing == 1 ? 5 : 3));
        }
    });
}

// As entries begin reductions that tasks of a loop take part in: of two that begin together.
TEST_CASE("threads of a loop share the copies that the first of them has made")
{
    struct Reduction {
        ReductionBlock block{};
        ReductionBlock::Variable variable{};
    };
    by_itself([] {
        constexpr unsigned threads = 3, rounds = 100;
        const unsigned sums[2] = {}; // what is reduced is found by where it is
        std::atomic<unsigned> made{0}, wrong{0};
        in_team(threads, [&] {
            Member& self = this_thread();
            for (unsigned round = 0; round < rounds; ++round) {
                Reduction own[2];
                for (unsigned at = 0; at < 2; ++at) {
                    own[at].variable.address = reinterpret_cast<std::uintptr_t>(&sums[at]);
                    own[at].block.count = 1;
                    own[at].block.bytes = own[at].block.copies = line_bytes;
                }
                own[0].block.outer = reinterpret_cast<std::uintptr_t>(&own[1].block);
                self.enter_loop(plan_of(0, "static"));
                TaskGroup group;
                self.begin_group(group);
                ReductionBlock& mine = own[0].block;
                ReductionBlock& first =
                    self.first_reductions(mine, [&] { made += make_copies(mine, threads); });
                if (&first != &mine)
                    take_copies(mine, first);
                begin_reductions(group, mine);
                for (unsigned at = 0; at < 2; ++at)
                    *static_cast<unsigned*>(reduced(group.reductions, &sums[at], self.number()).copy) += 1;
                self.meet();
                for (unsigned at = 0; at < 2; ++at)
                    for (unsigned thread = 0; thread < threads; ++thread)
                        wrong +=
                            *static_cast<unsigned*>(reduced(group.reductions, &sums[at], thread).copy) != 1;
                self.leave_loop();
                self.end_group();
                self.meet();
                if (&first == &mine)
                    give_copies_back(mine);
            }
        });
        CHECK(made == rounds);
        CHECK(wrong == 0);
    });
}

TEST_CASE("schedules that promise an order are handed out as they say, for their distributions promise it")
{
    CHECK(static_of(3).kind->name == "static");
    CHECK(dynamic_of(3).kind->name == "chunk");
    CHECK(guided_of(3).kind->name == "guided");
    CHECK(in_order(nonmonotonic_dynamic_of(3), 3).kind->name == "chunk");
}

TEST_CASE("memory that a loop's threads share is zero at first, one for all, and of that loop alone")
{
    by_itself([] {
        constexpr unsigned threads = 3, rounds = 200;
        std::atomic<unsigned> wrong{0};
        in_team(threads, [&] {
            Member& self = this_thread();
            for (unsigned round = 0; round < rounds; ++round) {
                self.enter_loop(plan_of(threads, "static"));
                auto* const words = static_cast<unsigned*>(self.shared_memory(threads * sizeof(unsigned)));
                wrong += words == nullptr || words[self.number()] != 0;
                words[self.number()] = round + self.number();
                // Every second time it runs ahead of the others.
                if (round % 2 != 0) {
                    self.meet();
                    for (unsigned other = 0; other < threads; ++other)
                        wrong += words[other] != round + other;
                }
                self.leave_loop();
            }
        });
        CHECK(wrong == 0);
    });
}

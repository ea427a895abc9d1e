// SPDX-License-Identifier: MIT
// One list of tests over every kind of semaphores, with real threads; and what each kind says of itself by
// its counts.
#include "kernel/program/host_arena.hpp"
#include "messaging/design/semaphores.hpp"
#include "sched/semaphore/semaphore_table.hpp"
#include "testing/catch.hpp"
#include "testing/host_clock.hpp"
#include "testing/processes.hpp"
#include "testing/selection.hpp"
#include "testing/semaphore_scene.hpp"

#include "sched/leaves.hpp"

#include <mutex>
#include <string>

using namespace parley;
using namespace parley::sched;
using namespace std::chrono_literals;

namespace {

template <class Leaf>
using Scene = testing::SemaphoreScene<Leaf, testing::HostClock>;

// body(party) for each party, beside the policy processes.
template <class Leaf>
bool play(Scene<Leaf>& scene, unsigned parties, const std::function<void(unsigned)>& body)
{
    return testing::all_end(parties + scene.policy_processes(), 30s, [&](unsigned number) {
        if (number >= parties)
            return scene.run(number - parties);
        body(number);
        scene.leave();
    });
}

template <class Leaf>
std::string fault_in_exclusion(Scene<Leaf>& scene, unsigned parties)
{
    constexpr unsigned rounds = 200;
    unsigned inside = 0, entries = 0;
    bool crowded = false;
    const bool all_ended = play<Leaf>(scene, parties, [&](unsigned party) {
        for (unsigned round = 0; round < rounds; ++round) {
            if (!scene.p(0, party))
                return;
            crowded = crowded || ++inside != 1;
            ++entries;
            --inside;
            scene.v(0);
        }
    });
    if (crowded)
        return "two were inside at once";
    return all_ended && entries == parties * rounds ? "" : "a wake-up was lost";
}

// The rootfinder's stage: the last to post wakes all others, one by one or together.
enum class Wakes { one_by_one, together };

template <class Leaf>
void wake_others(Scene<Leaf>& scene, unsigned parties, unsigned self, Wakes wakes)
{
    std::vector<unsigned> others;
    for (unsigned other = 0; other < parties; ++other)
        if (other != self)
            others.push_back(other);
    if (wakes == Wakes::together) {
        scene.v_all(others);
        return;
    }
    for (const unsigned other : others)
        scene.v(other);
}

template <class Leaf>
std::string fault_in_stages(Scene<Leaf>& scene, unsigned parties, Wakes wakes)
{
    constexpr unsigned stages = 150;
    std::atomic<unsigned> posted{0};
    unsigned stage = 0;
    std::atomic<bool> early{false};
    const bool all_ended = play<Leaf>(scene, parties, [&](unsigned party) {
        for (unsigned mine = 0; mine < stages; ++mine) {
            if (stage != mine)
                early = true;
            if (posted.fetch_add(1) + 1 < parties) {
                if (!scene.p(party, party))
                    return;
                continue;
            }
            posted.store(0);
            ++stage;
            wake_others<Leaf>(scene, parties, party, wakes);
        }
    });
    if (early)
        return "a process went on before its stage was over";
    return all_ended ? "" : "a wake-up was lost";
}

template <class Leaf>
std::string fault_in_v_before_p(Scene<Leaf>& scene)
{
    bool passed = false;
    const bool all_ended = play<Leaf>(scene, 1, [&](unsigned party) {
        scene.v(0);
        passed = scene.p(0, party);
    });
    return all_ended && passed ? "" : "P waits although V came before";
}

// Process 0 is killed at its so-many-th step in P; a V that was meant for it goes to the other, and nothing
// is left over.
template <class Leaf>
std::string fault_after_a_kill(unsigned steps)
{
    Scene<Leaf> scene(3, {0});
    std::mutex mutex;
    hosted::ProcessThread* victim = nullptr; // while it lives; both are guarded by the mutex
    bool is_over = false;
    std::atomic<bool> other_got{false};
    const bool all_ended = play<Leaf>(scene, 3, [&](unsigned party) {
        if (party == 0) {
            {
                const std::lock_guard guard(mutex);
                if (is_over)
                    return; // the other got the V before this process began, and there will be no second one
                victim = hosted::current_process();
                victim->kill_after(steps);
            }
            if (scene.p(0, party))
                scene.v(0); // it was alive until then
            const std::lock_guard guard(mutex);
            victim = nullptr;
            return;
        }
        if (party == 1) {
            other_got = scene.p(0, party);
            return;
        }
        scene.v(0);
        while (!other_got && !testing::must_end())
            std::this_thread::yield();
        const std::lock_guard guard(mutex);
        is_over = true;
        if (victim != nullptr)
            victim->kill(); // the V was the other's, so it waits for ever
    });
    if (!all_ended)
        return "the V that was meant for a killed process is lost";
    return other_got ? "" : "the other process did not get it";
}

// The kinds as they are used, and policy-1 with other times.
template <class Use>
void for_each_scene(unsigned parties, std::initializer_list<unsigned> counts, Use use)
{
    testing::for_each_leaf<SemaphoreLeaves>([&]<class Leaf>() {
        INFO("semaphore=" + std::string(Leaf::name));
        Scene<Leaf> scene(parties, counts);
        use(scene);
        if constexpr (std::same_as<Leaf, Policy1Semaphore>) {
            for (const std::uint64_t epsilon : {0, 1'000, 3'000'000}) {
                INFO("epsilon " << epsilon);
                Scene<Leaf> other(parties, counts, LeafValues{epsilon, 2});
                use(other);
            }
        }
    });
}

// A process waits, and V comes when it surely does and so many pages have been written.
template <class Leaf>
parley_semaphore_counts counts_of_one_wait(const LeafValues& values, unsigned long pages)
{
    const auto wait_once = [pages](Scene<Leaf>& scene) {
        CHECK(play<Leaf>(scene, 2, [&](unsigned party) {
            if (party == 0) {
                CHECK(scene.p(0, party));
                return;
            }
            while ((scene.counts().waits == 0 || scene.counts().page_writes < pages) && !testing::must_end())
                std::this_thread::yield();
            scene.v(0);
        }));
        return scene.counts();
    };
    if constexpr (messaging::HasArguments<Leaf>) {
        Scene<Leaf> scene(2, {0}, values);
        return wait_once(scene);
    } else {
        Scene<Leaf> scene(2, {0});
        return wait_once(scene);
    }
}

struct Tables {
    kernel::testing::HostArena arena;
    testing::HostClock clock;
    CountedStore store;
    SemaphoreCounts counts;
    KernelSemaphore kernel{{clock, store, counts}};
    SpinSemaphore spin{{clock, store, counts}, LeafValues{0}};
    SemaphoreTable table{arena, 4, 2, counts};

    Result<long> open(std::uint64_t number, std::uint64_t count)
    {
        return table.open(number, count, [this](unsigned) {
            ++made;
            return Result<void>{};
        });
    }
    unsigned made = 0;
};

Error error_of(const auto& result)
{
    REQUIRE(!result.has_value());
    return result.error();
}

} // namespace

TEST_CASE("the waiters of a table can be had before its first semaphore, and are those that wait at it")
{
    Tables tables;
    tables.table.use(tables.kernel);
    const Result<const SemaphoreWaiter*> waiters = tables.table.waiters();
    REQUIRE((waiters && tables.made == 0));
    CHECK((*waiters)[1].process() == 1);
    const long id = *tables.open(3, 0);
    hosted::ProcessThread process;
    process.kill();
    CHECK(error_of(tables.table.p(1, id)) == Error::killed);
    SemaphoreWaiter::WaitInP wait{};
    CHECK_FALSE((*waiters)[1].waits(wait));
    CHECK((wait.ticket == 2 && wait.semaphore == 3));
    tables.arena.limit = 0;
    CHECK(*tables.table.waiters() == *waiters);
}

TEST_CASE("every kind of semaphores lets as many in as its count says")
{
    for_each_scene(4, {1}, [](auto& scene) { CHECK(fault_in_exclusion(scene, 4) == ""); });
}

TEST_CASE("every kind of semaphores wakes all processes of a stage, each time")
{
    for (const Wakes wakes : {Wakes::one_by_one, Wakes::together})
        for_each_scene(7, {0, 0, 0, 0, 0, 0, 0},
                       [wakes](auto& scene) { CHECK(fault_in_stages(scene, 7, wakes) == ""); });
}

TEST_CASE("under every kind of semaphores a V that comes first is not lost")
{
    for_each_scene(1, {0}, [](auto& scene) { CHECK(fault_in_v_before_p(scene) == ""); });
}

TEST_CASE("a process that is killed while it waits for a semaphore gives up its place")
{
    testing::for_each_leaf<SemaphoreLeaves>([]<class Leaf>() {
        for (unsigned steps = 0; steps < 4; ++steps) {
            INFO("semaphore=" + std::string(Leaf::name) << ", killed at step " << steps);
            CHECK(fault_after_a_kill<Leaf>(steps) == "");
        }
    });
}

TEST_CASE("a kernel semaphore neither writes pages nor runs policy processes")
{
    const parley_semaphore_counts counts = counts_of_one_wait<KernelSemaphore>({}, 0);
    CHECK(counts.waits == 1);
    CHECK(counts.wakes == 1);
    CHECK(counts.page_writes == 0);
    CHECK(counts.policy_runs == 0);
}

TEST_CASE("policy-0 writes the dirty pages of each wait and wakes through its processes")
{
    const parley_semaphore_counts counts =
        counts_of_one_wait<Policy0Semaphore>({}, CountedStore::pages_of_each);
    CHECK(counts.page_writes == CountedStore::pages_of_each);
    CHECK(counts.page_reads == CountedStore::pages_of_each);
    // Each process once for P and once for V, or once for both, where V comes while it is at it.
    CHECK(counts.policy_runs >= 2);
    CHECK(counts.policy_runs <= 4);
    CHECK(counts.in_time == 0);
}

TEST_CASE("policy-1 writes pages when its time is over, and else nobody notices")
{
    const LeafValues an_hour{3'600'000'000'000, 2}, none{0, 2}, two_milliseconds{2'000'000, 2};
    const parley_semaphore_counts early = counts_of_one_wait<Policy1Semaphore>(an_hour, 0);
    CHECK(early.page_writes == 0);
    CHECK(early.policy_runs == 0);
    CHECK(early.in_time == 1);
    for (const LeafValues& values : {none, two_milliseconds}) {
        const parley_semaphore_counts late =
            counts_of_one_wait<Policy1Semaphore>(values, CountedStore::pages_of_each);
        CHECK(late.page_writes == CountedStore::pages_of_each);
        CHECK(late.page_reads == CountedStore::pages_of_each);
        CHECK(late.policy_runs >= 1);
        CHECK(late.policy_runs <= 2);
        CHECK(late.in_time == 0);
    }
}

TEST_CASE("a job's semaphores are opened by number, once, and wrong ones are refused")
{
    Tables one;
    one.table.use(one.kernel);
    CHECK(error_of(one.table.p(0, PARLEY_SEMAPHORE_ID(4, 7))) == Error::no_semaphore);
    const long id = one.open(7, 2).value();
    CHECK(one.open(7, 2).value() == id);
    CHECK(one.made == 1);
    CHECK(error_of(one.open(7, 1)) == Error::other_count);
    CHECK(error_of(one.open(PARLEY_MAX_SEMAPHORES, 0)) == Error::no_semaphore);
    CHECK(error_of(one.open(static_cast<std::uint64_t>(-1), 0)) == Error::no_semaphore);
    CHECK(error_of(one.open(8, static_cast<std::uint64_t>(-1))) == Error::bad_count);
    CHECK(error_of(one.open(8, PARLEY_MAX_SEMAPHORE_COUNT + 1)) == Error::bad_count);
    CHECK(one.table.p(1, id));
    CHECK(one.table.p(0, id));
    CHECK(error_of(one.table.v(PARLEY_SEMAPHORE_ID(5, 7))) == Error::other_jobs_semaphore);
    for (const long nonsense : {0l, -1l, 7l, PARLEY_SEMAPHORE_ID(4, 8), 1l << 40, -1l << 62})
        CHECK(error_of(one.table.v(nonsense)) == Error::no_semaphore);
}

TEST_CASE("a V of several is of all of them, or of none where one is wrong")
{
    Tables one;
    one.table.use(one.kernel);
    const long full = one.open(0, PARLEY_MAX_SEMAPHORE_COUNT).value(), other = one.open(1, 0).value();
    const long wrong[] = {other, PARLEY_SEMAPHORE_ID(4, 9)}, both[] = {full, other}, twice[] = {other, other};
    CHECK(error_of(one.table.v_all(wrong)) == Error::no_semaphore);
    CHECK(error_of(one.table.v_all(both)) == Error::count_too_large);
    CHECK(one.table.v_all(twice));
    const unsigned long before = one.counts.now().waits;
    for (unsigned times = 0; times < 3; ++times)
        CHECK(one.table.p(0, other));
    CHECK(one.counts.now().waits == before);
    CHECK(one.counts.now().calls == 6);
}

TEST_CASE("a semaphore counts to its limit and says so")
{
    Tables one;
    one.table.use(one.kernel);
    const long id = one.open(0, PARLEY_MAX_SEMAPHORE_COUNT).value();
    CHECK(error_of(one.table.v(id)) == Error::count_too_large);
    CHECK(one.table.p(0, id));
    CHECK(one.table.v(id));
}

TEST_CASE("spin locks are opened with 0 or 1, and the kernel has no P and V for them")
{
    Tables one;
    one.table.use(one.spin);
    CHECK(error_of(one.open(0, 2)) == Error::bad_count);
    const long id = one.open(0, 1).value();
    CHECK(error_of(one.table.p(0, id)) == Error::no_such_call);
    CHECK(error_of(one.table.v(id)) == Error::no_such_call);
}

TEST_CASE("memory that is used up refuses a semaphore and nothing else")
{
    Tables one;
    one.table.use(one.kernel);
    one.arena.limit = 0;
    CHECK(error_of(one.open(0, 0)) == Error::no_memory);
    one.arena.limit = 1 << 20;
    CHECK(one.open(0, 0));
}

TEST_CASE("kinds of semaphores are read as they are written, and refused in a sentence")
{
    const auto read = [](std::string_view text) {
        messaging::LeafChoice kind;
        const messaging::FixedString problem = messaging::parse_semaphore(text, kind);
        return std::string(problem.empty() ? messaging::canonical_semaphore(kind).text() : problem.text());
    };
    CHECK(read("kernel") == "kernel");
    CHECK(read("spin") == "spin:0");
    CHECK(read("policy-1") == "policy-1:300ms:2");
    CHECK(read("policy-1:0ms:4") == "policy-1:0s:4");
    CHECK(read("policy-1:-1ms") ==
          "the epsilon of semaphore=policy-1 is 0s to 3600s, in whole numbers, not '-1ms'");
    CHECK(read("policy-0:300ms") == "semaphore=policy-0 takes no arguments; leave ':300ms' out");
    CHECK(read("kernal") == "there are no semaphores 'kernal'; there are combining, kernel, policy-0, "
                            "policy-1, queue, spin; did you mean 'kernel'?");
    CHECK(read("") != "");
}

// SPDX-License-Identifier: MIT
// The explorer itself: which races on plain memory it sees, and which uses are none; that the reduction
// leaves no outcome out; and what it says of what it has covered.
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/exploring/explored_memory.hpp"
#include "testing/exploring/one_step.hpp"

#include "assertion.hpp"
#include "base/atomic.hpp"

#include "platform.hpp"

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

using namespace parley;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// One party writes and publishes, the other looks for that and reads.
struct Publication {
    int data = 0;
    std::unique_ptr<int> allocated;
    Atomic<int*> place{nullptr};
    Atomic<bool> flag{false};
    int read = 0;
};

template <class Write, class Read>
std::string failure_of(Write write, Read read, explorer::Options options = {.preemptions = 1})
{
    return explorer::explore(options,
                             [=] {
                                 const auto shared = std::make_shared<Publication>();
                                 explorer::Play play;
                                 play.parties.push_back([=] { write(*shared); });
                                 play.parties.push_back([=] { read(*shared); });
                                 play.check = [shared] { return std::string(); };
                                 return play;
                             })
        .failure;
}

std::string publication(std::memory_order store, std::memory_order load)
{
    return failure_of([=](Publication& p) { p.data = 7, p.flag.store(true, store); },
                      [=](Publication& p) {
                          if (p.flag.load(load))
                              p.read = p.data;
                      });
}

bool is_race(const std::string& failure) { return failure.starts_with("a race: "); }

} // namespace

TEST_CASE("data that is published by release and acquire is no race, by less it is one")
{
    CHECK(publication(release, acquire) == "");
    CHECK(is_race(publication(relaxed, acquire)));
    CHECK(is_race(publication(release, relaxed)));
    const std::string told = publication(release, relaxed);
    CHECK(told.find("A writes it in ") != std::string::npos);
    CHECK(told.find("B reads it in ") != std::string::npos);
    CHECK(told.find("explorer_explored.cpp:") != std::string::npos);
}

TEST_CASE("a condition that must hold is no step")
{
    constexpr explorer::Options options{
        .preemptions = 2, .memory = explorer::Model::sequential, .reduce = false};
    const auto executions = [&](auto look) {
        return explorer::explore(options, [look] {
            const auto word = std::make_shared<Atomic<int>>(0);
            explorer::Play play;
            play.parties.push_back([=] { look(*word, 0), word->store(1, relaxed), look(*word, 1); });
            play.parties.push_back([=] { look(*word, 0); });
            play.check = [word] { return std::string(); };
            return play;
        });
    };
    const auto none = executions([](Atomic<int>&, int) { });
    const auto loads = executions([](Atomic<int>& word, int) { (void)word.load(relaxed); });
    const auto conditions = executions(
        [](Atomic<int>& word, int least) { assert_that([&] { return word.load(relaxed) >= least; }); });
    CHECK(conditions.failure == "");
    CHECK(conditions.executions < loads.executions);
    CHECK(conditions.executions == none.executions);
}

TEST_CASE("what is one step has no order of its own, and what stands around it has")
{
    constexpr explorer::Options options{.preemptions = 2, .memory = explorer::Model::sequential};
    const auto lost = [&](auto add) {
        return explorer::explore(options, [add] {
            const auto word = std::make_shared<Atomic<int>>(0);
            explorer::Play play;
            for (int party = 0; party < 2; ++party)
                play.parties.push_back([=] { add(*word); });
            play.check = [word] { return word->load(relaxed) == 2 ? "" : "an addition is lost"; };
            return play;
        });
    };
    const auto add = [](Atomic<int>& word) { word.store(word.load(relaxed) + 1, relaxed); };
    CHECK(lost(add).failure.starts_with("an addition is lost"));
    CHECK(lost([=](Atomic<int>& word) {
              const explorer::OneStep together;
              add(word);
          }).failure == "");
    const auto begins_before = [](Atomic<int>& word) {
        const int before = word.load(relaxed);
        const explorer::OneStep together;
        word.store(before + 1, relaxed);
    };
    CHECK(lost(begins_before).failure.starts_with("an addition is lost"));
}

TEST_CASE("parts of a word are memory of their own, and reads alone are no race")
{
    struct Halves {
        short first = 0, second = 0;
    };
    static Halves halves;
    static int whole;
    CHECK(failure_of([](Publication&) { halves.first = 1; }, [](Publication&) { halves.second = 1; }) == "");
    CHECK(is_race(
        failure_of([](Publication&) { halves = {1, 1}; }, [](Publication& p) { p.read = halves.second; })));
    CHECK(failure_of([](Publication& p) { p.data = whole; }, [](Publication& p) { p.read = whole; }) == "");
}

TEST_CASE("what is freed and allocated again is new, and using what another frees is a race")
{
    CHECK(failure_of([](Publication&) { delete new int(1); }, [](Publication&) { delete new int(2); }) == "");
    const auto publishes = [](Publication& p) {
        p.allocated = std::make_unique<int>(7);
        p.place.store(p.allocated.get(), release);
        p.allocated.reset();
    };
    CHECK(is_race(failure_of(publishes, [](Publication& p) {
        if (const int* const place = p.place.load(acquire))
            p.read = *place;
    })));
}

TEST_CASE("what one party's stack holds may be used by another as long as that is ordered")
{
    const auto waits = [](auto order) {
        return [=](Publication& p) {
            int own = 7;
            p.place.store(&own, release);
            while (!p.flag.load(order))
                explorer::spin();
            own = 8;
            p.place.store(&own, relaxed);
        };
    };
    const auto uses = [](Publication& p) {
        int* place = nullptr;
        while ((place = p.place.load(acquire)) == nullptr)
            explorer::spin();
        p.read = *place;
        p.flag.store(true, release);
    };
    CHECK(failure_of(waits(acquire), uses) == "");
    CHECK(is_race(failure_of(waits(relaxed), uses)));
}

TEST_CASE("an Atomic that is made by one party and used by another without order is a race")
{
    struct Made {
        alignas(Atomic<int>) std::byte place[sizeof(Atomic<int>)];
        Atomic<Atomic<int>*> made{nullptr};
    };
    const auto failure = [](std::memory_order order) {
        return explorer::explore({.preemptions = 1},
                                 [=] {
                                     const auto shared = std::make_shared<Made>();
                                     explorer::Play play;
                                     play.parties.push_back([=] {
                                         shared->made.store(new (shared->place) Atomic<int>(1), order);
                                     });
                                     play.parties.push_back([=] {
                                         if (auto* const made = shared->made.load(acquire))
                                             made->store(2, relaxed);
                                     });
                                     play.check = [shared] { return std::string(); };
                                     return play;
                                 })
            .failure;
    };
    CHECK(failure(release) == "");
    CHECK(is_race(failure(relaxed)));
}

TEST_CASE("what a play notes down is no race")
{
    const auto both = [](auto note) { return failure_of(note, note); };
    static int plain;
    static explorer::Noted<int> noted;
    CHECK(is_race(both([](Publication&) { ++plain; })));
    CHECK(both([](Publication&) { ++noted; }) == "");
    CHECK(both([](Publication&) {
              const explorer::Aside aside;
              ++plain;
          }) == "");
}

// Either the signaller sees the sleeper, or the sleeper the signal: in the order of seq_cst alone.
TEST_CASE("a wake-up that a weaker order loses is lost in the weak model alone")
{
    struct Signals {
        Atomic<std::uint32_t> sequence{0};
        Atomic<std::uint32_t> sleepers{0};
    };
    const auto failure = [](std::memory_order order, explorer::Model memory) {
        return explorer::explore({.preemptions = 1, .memory = memory},
                                 [=] {
                                     const auto shared = std::make_shared<Signals>();
                                     explorer::Play play;
                                     play.parties.push_back([=] {
                                         shared->sleepers.fetch_add(1);
                                         while (shared->sequence.load() == 0)
                                             (void)platform::block(shared->sequence, 0);
                                     });
                                     play.parties.push_back([=] {
                                         shared->sequence.fetch_add(1, order);
                                         if (shared->sleepers.load() != 0)
                                             platform::wake(shared->sequence, 1);
                                     });
                                     play.check = [] { return std::string(); };
                                     return play;
                                 })
            .failure;
    };
    CHECK(failure(std::memory_order_seq_cst, explorer::Model::each) == "");
    CHECK(failure(std::memory_order_acq_rel, explorer::Model::sequential) == "");
    CHECK(failure(std::memory_order_acq_rel, explorer::Model::weak).starts_with("a party waits for ever"));
}

namespace {

// Parties that lock by spinning or sleeping, write, and are killed: its outcomes with and without reduction.
struct Outcomes {
    std::set<std::string> seen;
    std::uint64_t executions = 0;
};

template <class Make>
Outcomes outcomes_of(Make make, explorer::Model memory, bool reduce)
{
    Outcomes outcomes;
    const auto outcome = explorer::explore({.preemptions = explorer::unlimited,
                                            .memory = memory,
                                            .older = 1,
                                            .weak_executions = 0,
                                            .reduce = reduce},
                                           [&] { return make(outcomes.seen); });
    CHECK(outcome.failure == "");
    outcomes.executions = outcome.executions;
    return outcomes;
}

template <class Make>
void compare(Make make)
{
    for (const auto memory : {explorer::Model::sequential, explorer::Model::weak}) {
        const Outcomes all = outcomes_of(make, memory, false), reduced = outcomes_of(make, memory, true);
        CHECK(reduced.seen == all.seen);
        CHECK(all.seen.size() > 1);
        CHECK(reduced.executions <= all.executions);
    }
}

explorer::Play a_lock_slept_for(std::set<std::string>& seen)
{
    struct Shared {
        Atomic<std::uint32_t> lock{0};
        std::string order;

        void enter(char name)
        {
            while (lock.exchange(2, std::memory_order_acquire) != 0)
                if (!platform::block(lock, 2))
                    return;
            order += name;
            lock.store(0, release);
            platform::wake(lock, 1);
        }
    };
    const auto shared = std::make_shared<Shared>();
    explorer::Play play;
    play.parties.push_back([=] { shared->enter('a'); });
    play.parties.push_back([=] { shared->enter('b'), shared->enter('c'); });
    play.check = [=, &seen] { return seen.insert(shared->order), std::string(); };
    return play;
}

explorer::Play a_spinner_that_is_killed(std::set<std::string>& seen)
{
    struct Shared {
        Atomic<unsigned> turn{0}, other{0};
        std::string ends;
    };
    const auto shared = std::make_shared<Shared>();
    explorer::Play play;
    play.parties.push_back([=] {
        platform::SpinWait wait;
        while (shared->turn.load(acquire) == 0)
            if (!wait.once()) {
                shared->ends = "killed";
                return;
            }
        shared->ends = "turn " + std::to_string(shared->other.load(relaxed));
    });
    play.parties.push_back([=] {
        shared->other.store(1, relaxed);
        explorer::kill(0);
        shared->turn.store(1, release);
        shared->other.store(2, relaxed);
    });
    play.check = [=, &seen] { return seen.insert(shared->ends), std::string(); };
    return play;
}

// Each party's own words are nobody else's business.
explorer::Play words_of_their_own(std::set<std::string>& seen)
{
    struct Shared {
        Atomic<unsigned> own[2] = {0, 0}, last{9};
        unsigned read[2] = {};
    };
    const auto shared = std::make_shared<Shared>();
    explorer::Play play;
    for (unsigned party = 0; party < 2; ++party)
        play.parties.push_back([=] {
            shared->own[party].store(1, relaxed);
            shared->own[party].fetch_add(1, relaxed);
            shared->read[party] = shared->last.exchange(party, relaxed);
            shared->own[party].store(3, relaxed);
        });
    play.check = [=, &seen] {
        seen.insert(std::to_string(shared->read[0]) + std::to_string(shared->read[1]));
        return std::string();
    };
    return play;
}

explorer::Play notes_in_every_order(std::set<std::string>& seen)
{
    struct Shared {
        Atomic<unsigned> x{0}, y{0};
        std::string order;

        void note(char name)
        {
            const explorer::Aside aside;
            order += name;
        }
    };
    const auto shared = std::make_shared<Shared>();
    explorer::Play play;
    for (unsigned party = 0; party < 3; ++party)
        play.parties.push_back([=] {
            (party == 0 ? shared->x : shared->y).store(party, relaxed);
            shared->note(static_cast<char>('a' + party));
        });
    play.check = [=, &seen] { return seen.insert(shared->order), std::string(); };
    return play;
}

// A party that changes a word before each pause looks again for its own change once, and for another's.
explorer::Play looks_that_change_a_word(std::set<std::string>& seen)
{
    struct Shared {
        Atomic<unsigned> own{0}, other{0};
        unsigned looks = 0;
    };
    const auto shared = std::make_shared<Shared>();
    explorer::Play play;
    play.parties.push_back([=] {
        while (shared->looks < 4) {
            shared->own.store(++shared->looks, relaxed);
            explorer::spin();
        }
    });
    play.parties.push_back([=] { shared->other.store(1, relaxed); });
    play.check = [=, &seen] { return seen.insert(std::to_string(shared->looks)), std::string(); };
    play.may_wait = true;
    return play;
}

} // namespace

TEST_CASE("the reduction leaves out executions, and no outcome")
{
    compare(a_lock_slept_for);
    compare(a_spinner_that_is_killed);
    compare(notes_in_every_order);
    compare(words_of_their_own);
    compare(looks_that_change_a_word);
    CHECK(outcomes_of(words_of_their_own, explorer::Model::sequential, false).executions == 70);
    CHECK(outcomes_of(words_of_their_own, explorer::Model::sequential, true).executions == 2);
    CHECK(outcomes_of(notes_in_every_order, explorer::Model::sequential, true).seen.size() == 6);
}

TEST_CASE("an exploration says which bounds it has covered")
{
    const auto covered = [](explorer::Options options) {
        return explorer::explore(options,
                                 [] {
                                     const auto word = std::make_shared<Atomic<unsigned>>(0u);
                                     explorer::Play play;
                                     play.parties.push_back([=] { word->store(1, relaxed); });
                                     play.parties.push_back([=] { (void)word->load(relaxed); });
                                     play.check = [] { return std::string(); };
                                     return play;
                                 })
            .covered;
    };
    CHECK(covered({}).starts_with("sequential, 3 preemptions: 2 executions; "
                                  "weak, 3 preemptions, 2 older stores: "));
    CHECK(covered(
              {.preemptions = explorer::unlimited, .memory = explorer::Model::weak, .weak_executions = 0}) ==
          "weak, all preemptions, 2 older stores: 3 executions");
    CHECK(covered({.memory = explorer::Model::weak, .weak_executions = 1}) ==
          "weak, not wholly: 0 preemptions, 1 older stores: 1 executions");
}

TEST_CASE("a party that has changed a word itself looks again after a pause")
{
    const auto outcome = explorer::explore({.preemptions = 1}, [] {
        auto held = std::make_shared<Atomic<unsigned>>(1u);
        explorer::Play play;
        play.parties.push_back([held] {
            while (held->load() != 0) {
                held->store(0);
                explorer::spin();
            }
        });
        play.parties.push_back([] { explorer::step(); });
        play.check = [] { return std::string(); };
        return play;
    });
    CHECK(outcome.failure == "");
}

TEST_CASE("a party that takes a lock for each look waits for another's change")
{
    const auto outcome = explorer::explore({.preemptions = 1}, [] {
        struct Shared {
            Atomic<unsigned> next{0}, served{0}; // a lock that never has the same words again
            Atomic<unsigned> ready{0};
        };
        auto shared = std::make_shared<Shared>();
        explorer::Play play;
        play.parties.push_back([shared] {
            for (bool ready = false; !ready;) {
                const unsigned ticket = shared->next.fetch_add(1);
                ready = shared->ready.load() != 0;
                shared->served.store(ticket + 1);
                if (!ready)
                    explorer::spin();
            }
        });
        play.parties.push_back([shared] { shared->ready.store(1); });
        play.check = [] { return std::string(); };
        return play;
    });
    CHECK(outcome.failure == "");
}

TEST_CASE("a play that differs when it is run again is a failure, which says where")
{
    using explorer::Model;
    int plays = 0;
    // The second party does the same in all plays, the first one something else in all but the first.
    const auto failure = [&](const explorer::Options& options, auto first, auto other) {
        plays = 0;
        return explorer::explore(options,
                                 [&] {
                                     const auto word = std::make_shared<Atomic<unsigned>>(0u);
                                     const bool is_first = plays++ == 0;
                                     explorer::Play play;
                                     play.parties.push_back([=] { is_first ? first(*word) : other(*word); });
                                     play.parties.push_back([=] { first(*word); });
                                     play.check = [word] { return std::string(); };
                                     return play;
                                 })
            .failure;
    };
    const auto begins = [](const std::string& text) {
        return text.starts_with("the play is not the same when it is run again: after ");
    };
    const auto nothing = [](Atomic<unsigned>&) { };
    const auto stores = [](Atomic<unsigned>& word) { word.store(1, relaxed), word.store(2, relaxed); };
    const auto loads = [](Atomic<unsigned>& word) { (void)word.load(relaxed), (void)word.load(relaxed); };
    for (const bool reduces : {false, true}) {
        INFO(reduces);
        explorer::Options options{.preemptions = reduces ? explorer::unlimited : 2,
                                  .memory = Model::sequential};
        const std::string shorter = failure(options, stores, nothing);
        CHECK(begins(shorter));
        CHECK(shorter.find(" where it came to a choice of the parties AB before") != std::string::npos);
        // With reduction each step is a decision, and else one party alone has none.
        CHECK((shorter.find(" it comes to its end, ") == std::string::npos) == reduces);
        CHECK(shorter.find("in the order A") != std::string::npos);
        CHECK(failure(options, stores, stores) == "");
        options.memory = Model::weak;
        options.weak_executions = 0;
        const std::string looks = failure(options, stores, loads);
        CHECK(begins(looks));
        CHECK(looks.find(" things that memory may do") != std::string::npos);
    }
}

// Kernels hash addresses, so a play at others would be another play.
TEST_CASE("what a play is set up with, and its parties' stacks, have the same addresses in each execution")
{
    std::set<const void*> first, second, stacks;
    const auto play = [&] {
        explorer::Play made;
        const auto one = std::make_shared<Atomic<unsigned>>(0), other = std::make_shared<Atomic<unsigned>>(0);
        made.parties.push_back([one, &stacks] {
            const unsigned on_stack = one->load(relaxed);
            const explorer::Aside aside;
            stacks.insert(&on_stack);
        });
        made.parties.push_back([one, other] { one->store(1, relaxed), other->store(1, relaxed); });
        made.check = [one, other, &first, &second] {
            first.insert(one.get());
            second.insert(other.get());
            return "";
        };
        return made;
    };
    CHECK(explorer::explore({.preemptions = 2}, play).failure == "");
    CHECK(first.size() == 1);
    CHECK(second.size() == 1);
    CHECK(stacks.size() == 1);
}

TEST_CASE("a play that keeps what it was set up with is told so, and has it")
{
    std::vector<std::shared_ptr<Atomic<unsigned>>> kept;
    const auto play = [&] {
        explorer::Play made;
        const auto word = std::make_shared<Atomic<unsigned>>(7);
        made.parties.push_back([word] { word->store(8, relaxed); });
        made.parties.push_back([word, &kept] { kept.push_back(word); });
        made.check = [] { return ""; };
        return made;
    };
    const std::string failure = explorer::explore({.preemptions = 2}, play).failure;
    CHECK(failure.starts_with("the play keeps memory that it was set up with"));
    CHECK(explorer::explore({.preemptions = 2}, play).failure == failure);
    CHECK(kept.size() == 2);
    for (const auto& word : kept)
        CHECK(word->load(relaxed) == 8);
}

TEST_CASE("a play of too many parties is refused")
{
    const auto play = [] {
        explorer::Play made;
        made.parties.resize(explorer::most_parties + 1, [] { });
        made.check = [] { return ""; };
        return made;
    };
    CHECK_THROWS_AS(explorer::explore({.preemptions = 0}, play), std::invalid_argument);
}

// SPDX-License-Identifier: MIT
// The explorer's models of memory against the litmus tests of the literature: for each, which outcomes the
// orders permit, no more and no less, with every order of steps run and with those alone that the reduction
// leaves.
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include "base/atomic.hpp"

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace parley;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

struct LitmusWords {
    Atomic<int> x{0}, y{0}, z{0};
    std::array<int, 6> read{}; // each written by one party
    unsigned reads = 0;        // that a party makes, together
    bool tells_finals = false;

    std::string told() const
    {
        std::string digits;
        for (unsigned index = 0; index < reads; ++index)
            digits += static_cast<char>('0' + read[index]);
        if (tells_finals)
            digits += std::string(digits.empty() ? "" : " ") + static_cast<char>('0' + x.peek()) +
                      static_cast<char>('0' + y.peek());
        return digits;
    }
};

using Body = std::function<void(LitmusWords&)>;
using Outcomes = std::set<std::string>;

struct Litmus {
    unsigned reads;
    std::vector<Body> parties;
    bool tells_finals = false;
};

Outcomes outcomes(const Litmus& litmus, explorer::Options options)
{
    Outcomes seen;
    const auto outcome = explorer::explore(options, [&] {
        const auto shared = std::make_shared<LitmusWords>();
        shared->reads = litmus.reads;
        shared->tells_finals = litmus.tells_finals;
        explorer::Play play;
        for (const Body& body : litmus.parties)
            play.parties.push_back([shared, &body] { body(*shared); });
        play.check = [shared, &seen] {
            seen.insert(shared->told());
            return std::string();
        };
        return play;
    });
    CHECK(outcome.failure == "");
    return seen;
}

constexpr explorer::Options every(explorer::Model memory, bool reduce)
{
    return {.preemptions = explorer::unlimited,
            .memory = memory,
            .older = explorer::unlimited,
            .weak_executions = 0,
            .reduce = reduce};
}

// With reduction and, where that is soon done, without.
Outcomes outcomes(const Litmus& litmus, explorer::Model memory)
{
    const Outcomes reduced = outcomes(litmus, every(memory, true));
    if (litmus.parties.size() < 4)
        CHECK(outcomes(litmus, every(memory, false)) == reduced);
    return reduced;
}

Outcomes permitted(const Litmus& litmus) { return outcomes(litmus, explorer::Model::weak); }
Outcomes sequential(const Litmus& litmus) { return outcomes(litmus, explorer::Model::sequential); }

bool permits(const Litmus& litmus, const std::string& outcome) { return permitted(litmus).contains(outcome); }

Outcomes all_of(unsigned reads) // zeros and ones
{
    Outcomes all;
    for (unsigned bits = 0; bits < 1u << reads; ++bits) {
        std::string digits;
        for (unsigned index = 0; index < reads; ++index)
            digits += (bits >> index & 1) != 0 ? '1' : '0';
        all.insert(digits);
    }
    return all;
}

Outcomes without(Outcomes all, const std::string& outcome)
{
    CHECK(all.erase(outcome) == 1);
    return all;
}

using Order = std::memory_order;

Litmus store_buffering(Order stores, Order loads)
{
    return {2,
            {[=](LitmusWords& s) { s.x.store(1, stores), s.read[0] = s.y.load(loads); },
             [=](LitmusWords& s) { s.y.store(1, stores), s.read[1] = s.x.load(loads); }}};
}

Litmus store_buffering_with_fences(Order first, Order second)
{
    return {2,
            {[=](LitmusWords& s) {
                 s.x.store(1, relaxed), explorer::fence(first), s.read[0] = s.y.load(relaxed);
             },
             [=](LitmusWords& s) {
                 s.y.store(1, relaxed), explorer::fence(second), s.read[1] = s.x.load(relaxed);
             }}};
}

Litmus message_passing(Order store, Order load)
{
    return {2,
            {[=](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, store); },
             [=](LitmusWords& s) { s.read[0] = s.y.load(load), s.read[1] = s.x.load(relaxed); }}};
}

} // namespace

TEST_CASE("store buffering: only sequential consistency on both sides forbids that both read the old value")
{
    const Outcomes all = all_of(2), not_both = without(all, "00");
    CHECK(sequential(store_buffering(relaxed, relaxed)) == not_both);
    CHECK(permitted(store_buffering(relaxed, relaxed)) == all);
    CHECK(permitted(store_buffering(release, acquire)) == all);
    CHECK(permitted(store_buffering(seq_cst, acquire)) == all);
    CHECK(permitted(store_buffering(release, seq_cst)) == all);
    CHECK(permitted(store_buffering(seq_cst, seq_cst)) == not_both);
    CHECK(permitted(store_buffering_with_fences(seq_cst, seq_cst)) == not_both);
    CHECK(permitted(store_buffering_with_fences(seq_cst, acq_rel)) == all);
    CHECK(permitted(store_buffering_with_fences(acq_rel, acq_rel)) == all);
    // A fence on one side, an operation on the other.
    const auto mixed = [](Order store, Order load) {
        return Litmus{2,
                      {[](LitmusWords& s) {
                           s.x.store(1, relaxed), explorer::fence(seq_cst), s.read[0] = s.y.load(relaxed);
                       },
                       [=](LitmusWords& s) { s.y.store(1, store), s.read[1] = s.x.load(load); }}};
    };
    CHECK(permitted(mixed(seq_cst, seq_cst)) == not_both);
    CHECK(permitted(mixed(seq_cst, relaxed)) == all);
    CHECK(permitted(mixed(release, seq_cst)) == all);
    // Read-modify-writes of the own word are no fences; of the other's, they read its newest value.
    const auto exchanged = [](Order order, Order load) {
        return Litmus{2,
                      {[=](LitmusWords& s) { s.x.exchange(1, order), s.read[0] = s.y.load(load); },
                       [=](LitmusWords& s) { s.y.exchange(1, order), s.read[1] = s.x.load(load); }}};
    };
    CHECK(permitted(exchanged(acq_rel, acquire)) == all);
    CHECK(permitted(exchanged(seq_cst, acquire)) == all);
    CHECK(permitted(exchanged(seq_cst, seq_cst)) == not_both);
}

TEST_CASE("message passing: release and acquire together forbid the old value behind the new flag")
{
    const Outcomes all = all_of(2), passed = without(all, "10");
    CHECK(sequential(message_passing(relaxed, relaxed)) == passed);
    CHECK(permitted(message_passing(relaxed, relaxed)) == all);
    CHECK(permitted(message_passing(release, relaxed)) == all);
    CHECK(permitted(message_passing(relaxed, acquire)) == all);
    CHECK(permitted(message_passing(release, acquire)) == passed);
    CHECK(permitted(message_passing(seq_cst, seq_cst)) == passed);
    const auto fences = [](Order before_store, Order store, Order load, Order behind_load) {
        return Litmus{2,
                      {[=](LitmusWords& s) {
                           s.x.store(1, relaxed), explorer::fence(before_store), s.y.store(1, store);
                       },
                       [=](LitmusWords& s) {
                           s.read[0] = s.y.load(load), explorer::fence(behind_load);
                           s.read[1] = s.x.load(relaxed);
                       }}};
    };
    CHECK(permitted(fences(release, relaxed, relaxed, acquire)) == passed);
    CHECK(permitted(fences(release, relaxed, acquire, relaxed)) == passed);
    CHECK(permitted(fences(relaxed, release, relaxed, acquire)) == passed);
    CHECK(permitted(fences(acquire, relaxed, acquire, relaxed)) == all);
    CHECK(permitted(fences(release, relaxed, relaxed, release)) == all);
    CHECK(permitted(fences(seq_cst, relaxed, relaxed, seq_cst)) == passed);
}

TEST_CASE("a failed compare-and-swap has the order of its failure alone")
{
    const auto failing = [](Order success, Order failure) {
        return Litmus{2,
                      {[](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, release); },
                       [=](LitmusWords& s) {
                           int expected = 5;
                           (void)s.y.compare_exchange_strong(expected, 6, success, failure);
                           s.read[0] = expected, s.read[1] = s.x.load(relaxed);
                       }}};
    };
    CHECK(permitted(failing(acquire, relaxed)) == all_of(2));
    CHECK(permitted(failing(acquire, acquire)) == without(all_of(2), "10"));
    CHECK(permitted(failing(relaxed, acquire)) == without(all_of(2), "10"));
    const auto succeeding = [](Order success, Order failure) {
        return Litmus{2,
                      {[](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, release); },
                       [=](LitmusWords& s) {
                           int expected = 1;
                           s.read[0] = s.y.compare_exchange_strong(expected, 6, success, failure) ? 1 : 0;
                           s.read[1] = s.x.load(relaxed);
                       }}};
    };
    CHECK(permitted(succeeding(relaxed, acquire)) == all_of(2));
    CHECK(permitted(succeeding(acquire, relaxed)) == without(all_of(2), "10"));
}

TEST_CASE("a weak compare-and-swap may fail without a cause, and a strong one not")
{
    const auto alone = [](bool weak) {
        return Litmus{1, {[=](LitmusWords& s) {
                          int expected = 0;
                          s.read[0] = (weak ? s.x.compare_exchange_weak(expected, 1)
                                            : s.x.compare_exchange_strong(expected, 1))
                                          ? 1
                                          : 0;
                          if (expected != 0)
                              s.read[0] = 9;
                      }}};
    };
    CHECK(permitted(alone(false)) == Outcomes{"1"});
    CHECK(permitted(alone(true)) == Outcomes{"0", "1"});
    CHECK(sequential(alone(true)) == Outcomes{"1"});
}

TEST_CASE("no load reads a store that comes later")
{
    const Litmus load_buffering{
        2,
        {[](LitmusWords& s) { s.read[0] = s.x.load(relaxed), s.y.store(1, relaxed); },
         [](LitmusWords& s) { s.read[1] = s.y.load(relaxed), s.x.store(1, relaxed); }}};
    CHECK(permitted(load_buffering) == without(all_of(2), "11"));
}

TEST_CASE("independent reads of independent writes: seq_cst alone has all agree on their order")
{
    const auto reads = [](Order store, Order load, bool fenced) {
        const auto fence = [=] {
            if (fenced)
                explorer::fence(seq_cst);
        };
        return Litmus{
            4,
            {[=](LitmusWords& s) { s.x.store(1, store); }, [=](LitmusWords& s) { s.y.store(1, store); },
             [=](LitmusWords& s) { s.read[0] = s.x.load(load), fence(), s.read[1] = s.y.load(load); },
             [=](LitmusWords& s) { s.read[2] = s.y.load(load), fence(), s.read[3] = s.x.load(load); }}};
    };
    CHECK(permitted(reads(release, acquire, false)) == all_of(4));
    CHECK(permitted(reads(seq_cst, acquire, false)) == all_of(4));
    CHECK(permitted(reads(release, seq_cst, false)) == without(all_of(4), "1010"));
    CHECK(permitted(reads(seq_cst, seq_cst, false)) == without(all_of(4), "1010"));
    CHECK(permitted(reads(relaxed, relaxed, true)) == without(all_of(4), "1010"));
}

TEST_CASE("two stores each, crosswise: only seq_cst forbids that both first ones stay")
{
    const auto stores = [](Order order, bool fenced) {
        const auto fence = [=] {
            if (fenced)
                explorer::fence(seq_cst);
        };
        return Litmus{0,
                      {[=](LitmusWords& s) { s.x.store(1, order), fence(), s.y.store(2, order); },
                       [=](LitmusWords& s) { s.y.store(1, order), fence(), s.x.store(2, order); }},
                      true};
    };
    CHECK(permitted(stores(relaxed, false)) == Outcomes{"11", "12", "21", "22"});
    CHECK(permitted(stores(release, false)) == Outcomes{"11", "12", "21", "22"});
    CHECK(permitted(stores(seq_cst, false)) == Outcomes{"12", "21", "22"});
    CHECK(permitted(stores(relaxed, true)) == Outcomes{"12", "21", "22"});
    CHECK(sequential(stores(relaxed, false)) == Outcomes{"12", "21", "22"});
}

TEST_CASE("one word's operations are coherent in every order")
{
    const Litmus read_read{
        2,
        {[](LitmusWords& s) { s.x.store(1, relaxed), s.x.store(2, relaxed); },
         [](LitmusWords& s) { s.read[0] = s.x.load(relaxed), s.read[1] = s.x.load(relaxed); }}};
    CHECK(permitted(read_read) == Outcomes{"00", "01", "02", "11", "12", "22"});
    const Litmus write_write{0, {[](LitmusWords& s) { s.x.store(1, relaxed), s.x.store(2, relaxed); }}, true};
    CHECK(permitted(write_write) == Outcomes{"20"});
    const Litmus write_read{1,
                            {[](LitmusWords& s) { s.x.store(1, relaxed), s.read[0] = s.x.load(relaxed); },
                             [](LitmusWords& s) { s.x.store(2, relaxed); }},
                            true};
    CHECK(permitted(write_read) == Outcomes{"1 10", "1 20", "2 20"});
    const Litmus read_write{1,
                            {[](LitmusWords& s) { s.read[0] = s.x.load(relaxed), s.x.store(1, relaxed); },
                             [](LitmusWords& s) { s.x.store(2, relaxed); }},
                            true};
    CHECK(permitted(read_write) == Outcomes{"0 10", "0 20", "2 10"});
    const Litmus two_readers{
        4,
        {[](LitmusWords& s) { s.x.store(1, relaxed); }, [](LitmusWords& s) { s.x.store(2, relaxed); },
         [](LitmusWords& s) { s.read[0] = s.x.load(relaxed), s.read[1] = s.x.load(relaxed); },
         [](LitmusWords& s) { s.read[2] = s.x.load(relaxed), s.read[3] = s.x.load(relaxed); }}};
    const Outcomes both = permitted(two_readers);
    CHECK(both.contains("1212"));
    CHECK(both.contains("2121"));
    CHECK(!both.contains("1221"));
    CHECK(!both.contains("2112"));
    CHECK(both.size() == 7 * 7 - 2);
}

TEST_CASE("what a reader has seen goes on to whoever acquires from it")
{
    const auto write_to_read = [](Order first, Order store, Order load) {
        return Litmus{3,
                      {[](LitmusWords& s) { s.x.store(1, relaxed); },
                       [=](LitmusWords& s) { s.read[0] = s.x.load(first), s.y.store(1, store); },
                       [=](LitmusWords& s) { s.read[1] = s.y.load(load), s.read[2] = s.x.load(relaxed); }}};
    };
    CHECK(permitted(write_to_read(relaxed, relaxed, acquire)) == all_of(3));
    CHECK(permitted(write_to_read(relaxed, release, relaxed)) == all_of(3));
    CHECK(permitted(write_to_read(relaxed, release, acquire)) == without(all_of(3), "110"));
    const auto chain = [](Order store, Order load, Order next) {
        return Litmus{
            3,
            {[=](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, store); },
             [=](LitmusWords& s) { s.read[0] = s.y.load(load), s.z.store(1, next); },
             [=](LitmusWords& s) { s.read[1] = s.z.load(acquire), s.read[2] = s.x.load(relaxed); }}};
    };
    CHECK(permitted(chain(release, acquire, release)) == without(all_of(3), "110"));
    CHECK(permitted(chain(relaxed, acquire, release)) == all_of(3));
    CHECK(permitted(chain(release, relaxed, release)) == all_of(3));
    CHECK(permitted(chain(release, acquire, relaxed)) == all_of(3));
}

TEST_CASE("read to write causality, and a store against a later load: seq_cst alone forbids")
{
    const auto causality = [](Order store, Order load) {
        return Litmus{3,
                      {[=](LitmusWords& s) { s.x.store(1, store); },
                       [=](LitmusWords& s) { s.read[0] = s.x.load(load), s.read[1] = s.y.load(load); },
                       [=](LitmusWords& s) { s.y.store(1, store), s.read[2] = s.x.load(load); }}};
    };
    CHECK(permitted(causality(release, acquire)) == all_of(3));
    CHECK(permitted(causality(seq_cst, seq_cst)) == without(all_of(3), "100"));
    const auto against = [](Order order) {
        return Litmus{1,
                      {[=](LitmusWords& s) { s.x.store(1, order), s.y.store(1, order); },
                       [=](LitmusWords& s) {
                           s.y.store(2, order);
                           s.read[0] = s.x.load(order == release ? acquire : order);
                       }},
                      true};
    };
    CHECK(permitted(against(release)) == Outcomes{"0 11", "0 12", "1 11", "1 12"});
    CHECK(permitted(against(seq_cst)) == Outcomes{"0 11", "1 11", "1 12"});
}

TEST_CASE("a release sequence goes on through read-modify-writes of anyone, and through no store")
{
    const auto sequence = [](Body between) {
        return Litmus{2,
                      {[](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, release); },
                       std::move(between),
                       [](LitmusWords& s) { s.read[0] = s.y.load(acquire), s.read[1] = s.x.load(relaxed); }}};
    };
    const Outcomes added = permitted(sequence([](LitmusWords& s) {
        int one = 1;
        (void)s.y.compare_exchange_strong(one, 2, relaxed, relaxed);
    }));
    CHECK(added == Outcomes{"00", "01", "11", "21"});
    const Outcomes stored = permitted(sequence([](LitmusWords& s) {
        if (s.y.load(relaxed) == 1)
            s.y.store(2, relaxed);
    }));
    CHECK(stored == Outcomes{"00", "01", "11", "20", "21"});
    // Nor of the same party, since C++20.
    const Litmus own{
        2,
        {[](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, release), s.y.store(2, relaxed); },
         [](LitmusWords& s) { s.read[0] = s.y.load(acquire), s.read[1] = s.x.load(relaxed); }}};
    CHECK(permitted(own) == Outcomes{"00", "01", "11", "20", "21"});
}

TEST_CASE("read-modify-writes of one word come one after the other")
{
    const Litmus adds{2,
                      {[](LitmusWords& s) { s.read[0] = s.x.fetch_add(1, relaxed); },
                       [](LitmusWords& s) { s.read[1] = s.x.fetch_add(1, relaxed); }},
                      true};
    CHECK(permitted(adds) == Outcomes{"01 20", "10 20"});
    const Litmus swaps{2,
                       {[](LitmusWords& s) {
                            int zero = 0;
                            s.read[0] = s.x.compare_exchange_strong(zero, 1, relaxed, relaxed) ? 1 : 0;
                        },
                        [](LitmusWords& s) {
                            int zero = 0;
                            s.read[1] = s.x.compare_exchange_strong(zero, 2, relaxed, relaxed) ? 1 : 0;
                        }}};
    CHECK(permitted(swaps) == Outcomes{"01", "10"});
    // A store between the two halves of one is before them, or behind.
    const Litmus stored{1,
                        {[](LitmusWords& s) { s.read[0] = s.x.fetch_add(1, relaxed); },
                         [](LitmusWords& s) { s.x.store(5, relaxed); }},
                        true};
    CHECK(permitted(stored) == Outcomes{"0 50", "5 60"});
}

// C++20 permits it: two operations on y order what happened before against the order of seq_cst. The model's
// S is the order of execution, and so it does not find it (exploring/explored_memory.hpp).
TEST_CASE("seq_cst never contradicts what happened before")
{
    const Litmus mixed{
        3,
        {[](LitmusWords& s) { s.x.store(1, seq_cst), s.y.store(1, release); },
         [](LitmusWords& s) { s.read[0] = s.y.fetch_add(1, seq_cst), s.read[1] = s.y.load(relaxed); },
         [](LitmusWords& s) { s.y.store(3, seq_cst), s.read[2] = s.x.load(seq_cst); }}};
    CHECK(!permits(mixed, "130"));
}

TEST_CASE("a party that spins sees the newest store in the end")
{
    const Litmus spinning{1,
                          {[](LitmusWords& s) { s.x.store(1, relaxed), s.y.store(1, relaxed); },
                           [](LitmusWords& s) {
                               while (s.y.load(relaxed) == 0)
                                   explorer::spin();
                               s.read[0] = s.x.load(relaxed); // which it has not waited for
                           }}};
    CHECK(permitted(spinning) == Outcomes{"0", "1"});
    CHECK(sequential(spinning) == Outcomes{"1"});
}

// SPDX-License-Identifier: MIT
// The reductions (exploring/search.hpp) leave out executions, and no outcome: of programs that are drawn at
// random, in which parties do to a few words all that may be done to them, end each other and touch plain
// memory. Within the same bounds a program has the same outcomes with a reduction and without, and a race
// with it where it has one without.
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/selection.hpp"

#include "base/atomic.hpp"

#include "platform.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace parley;

namespace {

enum class OperationKind {
    load,
    store,
    add,
    exchange,
    compare,
    fence,
    spin,
    sleep,
    wake,
    kill,
    end,
    note,
    plain
};

struct Operation {
    OperationKind kind;
    unsigned word;
    unsigned value;
    std::memory_order order;
};

using Program = std::vector<std::vector<Operation>>; // of each party

class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed), plain_(seed % 4 == 0) { }

    Program program()
    {
        words_ = 1 + below(3);
        Program made(2 + below(2));
        for (auto& party : made)
            for (unsigned left = 1 + below(made.size() == 2 ? 6 : 4); left != 0; --left)
                party.push_back(operation());
        return made;
    }

private:
    unsigned below(std::size_t count) { return static_cast<unsigned>(random_() % count); }
    Operation operation()
    {
        // What words are for comes oftener than what may end parties.
        constexpr std::array kinds{
            OperationKind::load,  OperationKind::load, OperationKind::load,     OperationKind::store,
            OperationKind::store, OperationKind::add,  OperationKind::exchange, OperationKind::compare,
            OperationKind::fence, OperationKind::spin, OperationKind::sleep,    OperationKind::wake,
            OperationKind::kill,  OperationKind::end,  OperationKind::note,     OperationKind::plain};
        const OperationKind kind = kinds[below(kinds.size() - (plain_ ? 0 : 1))];
        constexpr std::array loads{std::memory_order_relaxed, std::memory_order_acquire,
                                   std::memory_order_seq_cst};
        constexpr std::array stores{std::memory_order_relaxed, std::memory_order_release,
                                    std::memory_order_seq_cst};
        const bool stored = kind != OperationKind::load && kind != OperationKind::spin;
        return {kind, below(words_), 1 + below(3), (stored ? stores : loads)[below(3)]};
    }

    std::minstd_rand random_;
    unsigned words_ = 1;
    bool plain_; // in all programs, few would have no race
};

// Parties that run a program, and what each of them has seen.
struct Run {
    explicit Run(const Program& program) : program(program), seen(program.size()) { }

    bool one(unsigned party, const Operation& operation)
    {
        Atomic<std::uint32_t>& word = words[operation.word];
        const unsigned other = operation.value % static_cast<unsigned>(program.size());
        std::string& mine = seen[party];
        const auto saw = [&](std::uint32_t value) { mine += std::to_string(value); };
        switch (operation.kind) {
        case OperationKind::load: saw(word.load(operation.order)); break;
        case OperationKind::store: word.store(operation.value, operation.order); break;
        case OperationKind::add: saw(word.fetch_add(1, operation.order)); break;
        case OperationKind::exchange: saw(word.exchange(operation.value, operation.order)); break;
        case OperationKind::compare: {
            std::uint32_t expected = operation.value - 1;
            saw(word.compare_exchange_strong(expected, operation.value + 1, operation.order,
                                             std::memory_order_relaxed));
            break;
        }
        case OperationKind::fence: explorer::fence(std::memory_order_seq_cst); break;
        case OperationKind::spin:
            while (word.load(operation.order) == 0) {
                if (explorer::must_end())
                    return false;
                explorer::spin();
            }
            break;
        case OperationKind::sleep:
            if (!platform::block(word, 0))
                return false;
            saw(word.load(std::memory_order_relaxed));
            break;
        case OperationKind::wake: platform::wake(word, operation.value % 2 + 1); break;
        case OperationKind::kill:
            if (other != party)
                explorer::kill(other);
            break;
        case OperationKind::end:
            if (other != party)
                explorer::end(other);
            break;
        case OperationKind::note: {
            const explorer::Aside aside;
            notes += static_cast<char>('a' + party);
            break;
        }
        case OperationKind::plain: plain += operation.value; break;
        }
        return !explorer::must_end();
    }

    void all(unsigned party)
    {
        for (const Operation& operation : program[party])
            if (!one(party, operation)) {
                seen[party] += '!';
                return;
            }
        seen[party] += '.';
    }

    std::string outcome() const
    {
        std::string result;
        for (const std::string& mine : seen)
            result += mine + ' ';
        for (const auto& word : words)
            result += std::to_string(word.load(std::memory_order_relaxed));
        return result + ' ' + notes;
    }

    const Program& program;
    std::array<Atomic<std::uint32_t>, 3> words{0u, 0u, 0u};
    std::vector<std::string> seen;
    std::string notes;
    unsigned plain = 0;
};

struct Outcomes {
    std::set<std::string> seen;
    std::string failure;
    std::uint64_t executions = 0;

    bool race() const { return failure.starts_with("a race: "); }
    // They are too many to be compared with, where that is so without a reduction.
    bool too_many() const { return failure.starts_with("too many orders"); }
};

Outcomes outcomes_of(const Program& program, explorer::Options options, bool reduce)
{
    Outcomes outcomes;
    options.reduce = reduce;
    const auto explored = explorer::explore(options, [&] {
        const auto run = std::make_shared<Run>(program);
        explorer::Play play;
        for (unsigned party = 0; party < program.size(); ++party)
            play.parties.push_back([=] { run->all(party); });
        play.check = [=, &outcomes] {
            const explorer::ForAllPlays kept;
            outcomes.seen.insert(run->outcome());
            return std::string();
        };
        play.may_wait = true;
        return play;
    });
    outcomes.failure = explored.failure;
    outcomes.executions = explored.executions;
    return outcomes;
}

} // namespace

TEST_CASE("the reductions leave out no outcome and no race of programs that are drawn at random")
{
    // The sample has programs that tell each part of the reductions when it is left out.
    const bool samples = testing::sample_stride() > 1;
    const unsigned first = samples ? 161 : 1, programs = samples ? 40 : 400;
    std::uint64_t whole_executions = 0, reduced_executions = 0;
    unsigned races = 0;
    for (unsigned seed = first; seed < first + programs; ++seed) {
        const Program program = Generator(seed).program();
        for (const unsigned preemptions : {0u, 1u, 2u, explorer::unlimited})
            for (const auto memory : {explorer::Model::sequential, explorer::Model::weak}) {
                INFO("seed " << seed << ", " << preemptions << " preemptions, "
                             << (memory == explorer::Model::weak ? "weak" : "sequential"));
                const explorer::Options options{.preemptions = preemptions,
                                                .executions = 10'000,
                                                .memory = memory,
                                                .older = 1,
                                                .weak_executions = 0};
                const Outcomes whole = outcomes_of(program, options, false);
                if (whole.too_many())
                    continue;
                const Outcomes reduced = outcomes_of(program, options, true);
                CHECK(reduced.race() == whole.race());
                if (whole.race()) {
                    ++races;
                    continue;
                }
                CHECK(reduced.failure == whole.failure);
                CHECK(reduced.seen == whole.seen);
                CHECK(reduced.executions <= whole.executions);
                whole_executions += whole.executions;
                reduced_executions += reduced.executions;
            }
    }
    CHECK((samples || races > programs / 40));
    CHECK(reduced_executions < whole_executions / 2);
}

// SPDX-License-Identifier: MIT
// The decisions of an exploration: which party goes on at each step, and what each operation on memory takes
// of what it may. An execution is told its decisions; the search goes from one execution to the next, depth
// first.
//
// With reduction it leaves out executions that differ from others only in the order of steps that do not
// depend on each other (dynamic partial-order reduction after Flanagan and Godefroid, with sleep sets and
// source sets). Steps depend on each other when both touch the same thing, and one of them writes. At a
// decision only the first party is tried until an execution shows two such steps of different parties which
// nothing else orders: then a party is tried in the earlier one's place with which the later one can come
// before it. A party whose step has been tried there sleeps in the other branches, until a step comes that
// depends on its own.
//
// Where preemptions are bounded, the order that such a pair asks for may take one preemption more. So the
// later one's party is tried where the earlier one's began its turn, too, which takes none more (bounded
// partial-order reduction after Coons, Musuvathi and McKinley); and nobody sleeps, for what was tried may
// have had fewer preemptions left.
#pragma once

#include "testing/exploring/address_table.hpp"
#include "testing/exploring/allocations.hpp"
#include "testing/exploring/explored_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::explorer {

// Parties by their numbers, in an order.
class Parties {
public:
    void add(std::size_t party) { numbers_[count_++] = static_cast<std::uint8_t>(party); }
    bool empty() const { return count_ == 0; }
    std::size_t size() const { return count_; }
    std::size_t front() const { return numbers_[0]; }
    std::size_t operator[](std::size_t place) const { return numbers_[place]; }
    const std::uint8_t* begin() const { return numbers_.data(); }
    const std::uint8_t* end() const { return numbers_.data() + count_; }

private:
    std::array<std::uint8_t, most_parties> numbers_;
    std::size_t count_ = 0;
};

enum class Reduction { none, of_all, of_bounded };

class Search {
public:
    explicit Search(Reduction reduction) : reduction_(reduction) { }

    Reduction reduction() const { return reduction_; }

    // An execution begins, with the same decisions as the last up to the one that next() changed. It must
    // come to each of these with the same candidates again.
    void begin();
    // Chooses one of the parties that could go on; none: what follows has been explored in another order, or
    // the execution differs from the one that it repeats. Without reduction the search begins with the first.
    std::optional<std::size_t> choose_party(const Parties& parties);
    // The party's next step begins, and there is nothing to choose.
    void go_on(std::size_t party);
    // Chooses one of so many, all of which are tried, 0 first; none: the execution differs.
    std::optional<std::size_t> choose(std::size_t candidates);
    // In what the execution differs from the one that it repeats, a sentence without its full stop; or "".
    const std::string& difference() const { return difference_; }
    // The execution has run to its end: it differs if it has not come to all decisions that it repeats.
    void end();
    // The step that runs touches this, which has the same name in all executions.
    void touch(Name what, bool writes);
    // The step that runs ends another party, which could have taken its next step before.
    void end_party(std::size_t party);
    // Goes to the next execution, after one that has run to its end or was left; false: there is none.
    bool next();

private:
    struct Touch {
        Name what;
        bool writes;
    };
    using Touches = std::vector<Touch>;
    struct Sleeper {
        std::size_t party;
        Touches touches; // of its next step, whatever that reads
    };
    struct Decision {
        bool of_parties;
        std::size_t candidates; // memory's: how many
        std::size_t taken;      // one of them, or a party
        // For a choice of parties, a bit for each party: those that could go on, and with reduction those
        // that are to be tried and were tried.
        std::uint32_t able = 0, to_try = 0, tried = 0;
        Parties parties{}; // without reduction: those that are tried, in this order
        std::vector<Sleeper> sleepers{};
        Touches touches{}; // of the taken party's step, whatever it reads
    };
    static constexpr std::size_t none = ~std::size_t{0};
    struct Step {
        std::size_t decision; // or none
        std::size_t party;
        std::size_t first_touch; // its touches end where the next step's begin
        std::size_t turn;        // the step with which the party's turn began
        VectorClock before{}; // of each party the steps that come before this one in every order; itself, too
    };
    // The last step of each party, + 1, that has read a thing, and that has written it.
    struct Touched {
        std::array<std::uint32_t, most_parties> read{}, written{};
    };
    using SomeTouches = std::span<const Touch>;

    static void add(Touches& to, SomeTouches more);
    static bool depend(SomeTouches one, SomeTouches other);
    SomeTouches touches_of(std::size_t step) const;
    void begin_step(std::size_t decision, std::size_t party);
    void try_before(std::size_t earlier, std::size_t party);
    void reverse(std::size_t earlier, std::size_t later);
    static bool sleeps(const Decision& decision, std::size_t party);
    bool repeats(std::uint32_t able);
    void differ(const std::string& now);
    void end_step();
    void find_reversible();
    bool change(Decision& decision);

    Reduction reduction_;
    std::vector<Decision> decisions_;
    std::size_t depth_ = 0;
    std::size_t repeated_ = 0; // so many of the decisions were made by an earlier execution
    std::string difference_;
    std::vector<Step> steps_;
    std::vector<std::pair<std::size_t, std::size_t>> ended_;      // by a step, a party
    std::vector<std::pair<std::size_t, std::size_t>> reversible_; // two steps, the earlier one first
    Touches touches_;                                             // of all steps
    AddressTable<Touched> touched_;
};

} // namespace parley::explorer

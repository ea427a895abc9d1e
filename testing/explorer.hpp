// SPDX-License-Identifier: MIT
// Runs a few parties in every order of their atomic steps, within bounds. Each party is a fiber; every
// operation on an Atomic (explored/base/atomic.hpp) is a point where another party may go first.
//
// Each play is explored under two models of memory. The sequential one has every load read the newest store.
// The weak one also has a load read any older store that the orders of C++20 permit, and has a store or a
// read-modify-write take any earlier place in its word's modification order that they permit
// (exploring/explored_memory.hpp). Neither lets a load read a store that comes later (no load buffering).
//
// Plain memory is watched in both: two accesses by different parties of which one writes, and which neither
// program order nor an acquire of a release puts into an order, are a fault, told with both places
// (exploring/races.hpp). That needs sources that were compiled with -fsanitize=thread, whose calls
// exploring/plain_accesses.cpp answers; the sanitizer's own library is not linked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley::explorer {

// A point of the running party where others may go on; without a running exploration it does nothing.
void step();
// The running party's place among the parties; 0 without a running exploration.
unsigned party();
// A word that is no Atomic has a new value, so spinning parties may look again.
void changed();
// The party spins: nothing changes for it until another changes a word; for its own change it looks again
// once. A pause after another without a look between them passes at once, as does one before which another
// changed a word since the last. Who pauses after it has read an older store does not read that one again.
void spin();
inline constexpr unsigned most_pauses = 4096; // before a look: as the contract of the platform says

// The running party sleeps on the address until it is woken or killed. Neither call orders memory.
void sleep(const void* address);
void wake(const void* address, unsigned count);

// kill(): a party must end, and so a wait that it is in ends. must_end(): whether the running party must.
void kill(unsigned party);
bool must_end();
// A party ends where it is: it takes no step any more. What it has done is before what the running party does
// from now on.
void end(unsigned party);

// What the running party has done before publish() is before what follows a later collect() of the same
// address: for what orders memory and is no Atomic, as a switch to another process on one processor does.
void publish(const void* address);
void collect(const void* address);

// Notes of a play, which all its parties write without synchronization: as long as one of these exists, the
// running party's plain accesses are not watched. The exploration keeps their order, so they may be anything.
class Aside {
public:
    Aside();
    ~Aside();
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

private:
    bool watched_;
};

// While one exists, what is allocated to set a play up is not of the play, but made once for all plays.
class ForAllPlays {
public:
    ForAllPlays();
    ~ForAllPlays();
    ForAllPlays(const ForAllPlays&) = delete;
    ForAllPlays& operator=(const ForAllPlays&) = delete;

private:
    bool was_setting_up_;
};

// One value of that kind.
template <class T>
class Noted {
public:
    Noted() = default;
    Noted(T value) : value_(value) { }
    operator T() const { return read(); }
    Noted& operator=(T value)
    {
        return write([value](T) { return value; });
    }
    Noted& operator+=(T more)
    {
        return write([more](T before) { return static_cast<T>(before + more); });
    }
    Noted& operator-=(T less)
    {
        return write([less](T before) { return static_cast<T>(before - less); });
    }
    Noted& operator++() { return *this += 1; }
    Noted& operator--() { return *this -= 1; }

private:
    T read() const
    {
        const Aside aside;
        return value_;
    }
    template <class Change>
    Noted& write(Change change)
    {
        const Aside aside;
        value_ = change(value_);
        return *this;
    }

    T value_{};
};

// What an Atomic is made of: words of at most eight bytes, whose values are the low bits of a Bits. Without a
// running exploration plain operations.
namespace word {

using Bits = std::uint64_t;
using Order = std::memory_order;
using Change = Bits (*)(Bits before, Bits with);

// An object's life begins there; what was known of the place is forgotten.
void begin(void* at);
Bits load(const void* at, std::size_t bytes, Order order);
void store(void* at, std::size_t bytes, Bits value, Order order);
Bits update(void* at, std::size_t bytes, Change change, Bits with, Order order); // what was there before
// `may_fail`: without a cause, as compare_exchange_weak.
bool compare_exchange(void* at, std::size_t bytes, Bits& expected, Bits wanted, Order success, Order failure,
                      bool may_fail);
// A relaxed load without a step: for a platform whose look at a word and what it then does are one step.
Bits peek(const void* at, std::size_t bytes);
// As long as one of these exists, each load is a peek: for a condition that must hold (assertion.hpp).
class Peeking {
public:
    Peeking();
    ~Peeking();
    Peeking(const Peeking&) = delete;
    Peeking& operator=(const Peeking&) = delete;

private:
    bool peeked_;
};
// A party that peeks at the word later sees what the running party has seen of it, and nothing else of what
// that party has done: how a platform's wake() and its later block() order the word that both are about.
void tell(const void* at, std::size_t bytes);

} // namespace word

void fence(std::memory_order order);

inline constexpr unsigned unlimited = ~0u;

enum class Model { sequential, weak, each };

struct Options {
    // Switches from a party that could go on; `unlimited`: every order of steps. Of the orders within these
    // only those are run that differ in the order of steps that depend on each other (exploring/search.hpp).
    unsigned preemptions = 3;
    std::uint64_t executions = 2'000'000; // more than this is a failure: make the test smaller
    std::uint64_t steps = 20'000;         // of one execution: who takes more goes round in a circle
    Model memory = Model::each;
    // The weak model: at most so many operations of an execution that do not take the newest store, or fail
    // without a cause.
    unsigned older = 2;
    // The bounds of the weak model begin with no preemption and one older store, and grow as long as they can
    // be expected to be covered with so many executions in all, to `preemptions` and `older`; what was
    // covered, ExplorationOutcome tells. 0: the last bounds, wholly.
    // PARLEY_EXPLORER=thorough in the environment has all explorations grow to at least three preemptions,
    // under both models and however long it takes, and prints what is covered as soon as it is.
    std::uint64_t weak_executions = 4'000;
    bool races = true;  // false: plain memory is not watched, for parties that stand for what shares none
    bool reduce = true; // false: run every order (to test the reductions)
};

struct ExplorationOutcome {
    std::string failure; // "" when all orders are good; else what went wrong, and the order of the parties
    std::uint64_t executions = 0;
    // For each model: bounds that were covered wholly, and how many executions that took.
    // PARLEY_EXPLORER=report in the environment prints it.
    std::string covered;
};

// One execution: its parties, and a check afterwards that returns "" or what is wrong.
struct Play {
    std::vector<std::function<void()>> parties;
    std::function<std::string()> check;
    // Parties may be left waiting, as idle processors are; whether all is done, the check says.
    bool may_wait = false;
};

// `make_play` sets everything up anew for each execution.
ExplorationOutcome explore(const Options& options, const std::function<Play()>& make_play);

} // namespace parley::explorer

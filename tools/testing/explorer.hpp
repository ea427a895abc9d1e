// SPDX-License-Identifier: MIT
// Runs a few parties in every order of their atomic steps, with at most so many preemptions. Each party is a
// fiber; every operation on an Atomic (explored/kernel/base/atomic.hpp) is a point where another party may go
// first. Orders are sequentially consistent: weaker ones are the business of the thread sanitizer and of real
// processors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley::explorer {

// Points of the running party; without a running exploration they do nothing.
void step();
// The running party's place among the parties; 0 without a running exploration.
unsigned party();
// A word has a new value, so spinning parties may look again.
void changed();
// Spinning: nothing changes for this party until another changes a word. A pause that follows another without
// a look between them passes at once, and so does one before which a word has changed since the last pause.
void spin();
inline constexpr unsigned most_pauses = 4096; // before a look: as the contract of the platform says

// Asleep on an address until woken, or killed.
void sleep(const void* address);
void wake(const void* address, unsigned count);

// A party must end: a wait that it is in ends. Whether the running one must.
void kill(unsigned party);
bool must_end();

struct Options {
    unsigned preemptions = 3;
    std::uint64_t executions = 2'000'000; // more than this is a failure: make the test smaller
    std::uint64_t steps = 20'000;         // of one execution: who takes more goes round in a circle
};

struct Outcome {
    std::string failure; // "" when all orders are good; else what went wrong, and the order of the parties
    std::uint64_t executions = 0;
};

// One execution: its parties, and a check afterwards that returns "" or what is wrong.
struct Play {
    std::vector<std::function<void()>> parties;
    std::function<std::string()> check;
    // Parties may be left waiting, as idle processors are; whether all is done, the check says.
    bool may_wait = false;
};

// `make_play` sets everything up anew for each execution.
Outcome explore(const Options& options, const std::function<Play()>& make_play);

} // namespace parley::explorer

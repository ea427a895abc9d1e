// SPDX-License-Identifier: MIT
// Gives turns to the jobs of one user that want to be gang scheduled on this machine (nxrun --gang): of jobs
// that share a processor one runs at a time, and each runs until its slice is over and another wants a
// processor of its. Whoever has waited longest is next; nobody overtakes one that waits for the same
// processor.
//
// One nxrun among them keeps the turns, each has a connection to it, its own included. The name under which
// it listens lies in no file, so it goes with its process, however that ends, and another takes it
// (turns.hpp).
#pragma once

#include <bitset>
#include <chrono>
#include <cstdint>
#include <list>
#include <sched.h>

namespace parley::native {

using TurnClock = std::chrono::steady_clock; // the same for all processes
using Processors = std::bitset<CPU_SETSIZE>;

// What goes between a job and the keeper, one packet each.
struct TurnMessage {
    enum class Kind : std::uint32_t {
        join,   // to the keeper: wants turns, and has waited since `since`
        halted, // to the keeper: the turn is over and all ranks are stopped
        go,     // to the job: its turn begins
        halt,   // to the job: its slice is over
    };
    Kind kind{};
    std::uint32_t slice_milliseconds = 0;
    TurnClock::time_point since{};
    Processors processors{}; // that the job runs on
};

class TurnKeeper {
public:
    // `listener` is a socket that listens; it and all connections are closed at the end, and `events` (an
    // epoll descriptor that outlives this) forgets them.
    TurnKeeper(int listener, int events);
    ~TurnKeeper();
    TurnKeeper(const TurnKeeper&) = delete;
    TurnKeeper& operator=(const TurnKeeper&) = delete;

    // One of its descriptors is ready. False: it is none of these.
    bool attend(int descriptor);

private:
    struct Member {
        enum class State { new_here, waits, runs, halts };
        int connection;
        State state = State::new_here;
        std::chrono::milliseconds slice{};
        TurnClock::time_point since{}; // it waits, or its turn began
        Processors processors{};
    };

    void accept_all();
    bool hear(Member& member);
    void give_turns();
    void set_timer();
    bool is_wanted(const Member& runner) const;

    const int listener_;
    const int events_;
    int timer_;
    std::list<Member> members_; // those that wait are in the order of their turns
};

} // namespace parley::native

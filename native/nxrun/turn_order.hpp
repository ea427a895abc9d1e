// SPDX-License-Identifier: MIT
// Decides whose turn it is. Of the jobs that share a processor one runs at a time, and each runs until its
// slice is over and another wants one of its processors. The job that has waited longest is next; no job
// overtakes one that waits for the same processor. turn_keeper.hpp carries what jobs and the order say to
// each other.
//
// No job is trusted to answer. A job that has gone is removed. A job that is stopped has no turn: its ranks
// are stopped as well, and it is passed over until it answers the `halt` that it has not read yet.
#pragma once

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <list>
#include <sched.h>

namespace parley::native {

using TurnClock = std::chrono::steady_clock; // the same for all processes
using Processors = std::bitset<CPU_SETSIZE>;

// What goes between a job and the keeper of the turns, one packet each.
struct TurnMessage {
    enum class Kind : std::uint32_t {
        join,   // to the keeper: wants turns, and has waited since `since`
        halted, // to the keeper: all ranks are stopped; once for each `halt`, and never else
        go,     // to the job: its turn begins
        halt,   // to the job: its slice is over, or it was stopped when it should have had its turn
    };
    Kind kind{};
    std::uint32_t slice_milliseconds = 0;
    TurnClock::time_point since{};
    Processors processors{}; // that the job runs on
};

// `Jobs` knows members by a number that its user chooses:
//   say(member, kind)     may be lost where the job has gone
//   is_stopped(member)    whether it is, so that it neither hears nor answers
//   stop_ranks(member)    of one that is stopped
template <class Jobs>
class TurnOrder {
public:
    explicit TurnOrder(Jobs& jobs) : jobs_(jobs) { }

    bool empty() const { return members_.empty(); }
    // A job has connected. It has no turn before it has joined.
    void add(int member) { members_.push_back({.number = member}); }
    // A job has gone.
    void remove(int member)
    {
        members_.remove_if([member](const Member& one) { return one.number == member; });
    }
    // A job says something.
    void receive(int member, const TurnMessage& message, TurnClock::time_point now)
    {
        const auto found = std::ranges::find(members_, member, &Member::number);
        if (found == members_.end())
            return;
        found->since = now;
        if (message.kind == TurnMessage::Kind::join) {
            found->slice = std::chrono::milliseconds(message.slice_milliseconds);
            found->processors = message.processors;
            found->since = message.since;
        }
        found->state = State::waits;
    }
    // Ends slices that are over, and passes over jobs that are stopped and do not answer `halt`.
    void look(TurnClock::time_point now)
    {
        for (Member& one : members_)
            if (one.state == State::runs && is_wanted(one) && one.since + one.slice <= now) {
                one.state = State::halts;
                jobs_.say(one.number, TurnMessage::Kind::halt);
            } else if (one.state == State::halts && jobs_.is_stopped(one.number)) {
                jobs_.stop_ranks(one.number);
                one.state = State::away;
            }
    }
    // Gives turns to those that may run, after everything else that has come has been received.
    void give_turns(TurnClock::time_point now)
    {
        Processors taken;
        for (const Member& member : members_)
            if (member.state == State::runs || member.state == State::halts)
                taken |= member.processors;
        members_.sort([](const Member& one, const Member& other) { return one.since < other.since; });
        for (Member& member : members_) {
            if (member.state != State::waits)
                continue;
            if ((member.processors & taken).none()) {
                if (jobs_.is_stopped(member.number)) {
                    member.state = State::away;
                    jobs_.say(member.number, TurnMessage::Kind::halt);
                    continue;
                }
                member.state = State::runs;
                member.since = now;
                jobs_.say(member.number, TurnMessage::Kind::go);
            }
            taken |= member.processors; // one that waits keeps those behind it from its processors
        }
    }
    // The time at which look() has something to do; max(): not before a job says something.
    TurnClock::time_point next_look(TurnClock::time_point now) const
    {
        auto first = TurnClock::time_point::max();
        for (const Member& member : members_)
            if (member.state == State::halts)
                first = std::min(first, now + between_looks);
            else if (member.state == State::runs && is_wanted(member))
                first = std::min(first, member.since + member.slice);
        return first;
    }

private:
    // Linux tells only its parent that a process has stopped, so jobs that do not answer are looked at.
    static constexpr std::chrono::milliseconds between_looks{20};

    enum class State { new_here, waits, runs, halts, away }; // halts, away: its answer is awaited
    struct Member {
        int number;
        State state = State::new_here;
        std::chrono::milliseconds slice{};
        TurnClock::time_point since{}; // it waits, or its turn began
        Processors processors{};
    };

    bool is_wanted(const Member& runner) const
    {
        return std::ranges::any_of(members_, [&](const Member& other) {
            return other.state == State::waits && (other.processors & runner.processors).any();
        });
    }

    Jobs& jobs_;
    std::list<Member> members_; // those that wait are in the order of their turns
};

} // namespace parley::native

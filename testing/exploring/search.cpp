// SPDX-License-Identifier: MIT
#include "testing/exploring/search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace parley::explorer {

namespace {

std::uint32_t bit(std::size_t party) { return std::uint32_t{1} << party; }

std::uint32_t bits(const Parties& parties)
{
    std::uint32_t result = 0;
    for (const std::size_t party : parties)
        result |= bit(party);
    return result;
}

// As in the order that a failure tells.
std::string letters(std::uint32_t parties)
{
    std::string result;
    for (std::size_t party = 0; party < most_parties; ++party)
        if ((parties & bit(party)) != 0)
            result += static_cast<char>('A' + party);
    return result;
}

std::string choice(std::uint32_t able) { return "a choice of the parties " + letters(able); }
std::string choice(std::size_t candidates)
{
    return "a choice of " + std::to_string(candidates) + " things that memory may do";
}

} // namespace

void Search::begin()
{
    depth_ = 0;
    steps_.clear();
    touches_.clear();
    ended_.clear();
    repeated_ = decisions_.size();
    difference_.clear();
}

void Search::end()
{
    if (depth_ < repeated_ && difference_.empty())
        differ("its end");
}

void Search::differ(const std::string& now)
{
    const Decision& before = decisions_[depth_];
    difference_ = "the play is not the same when it is run again: after " + std::to_string(depth_) +
                  " equal decisions it comes to " + now + ", where it came to " +
                  (before.of_parties ? choice(before.able) : choice(before.candidates)) +
                  " before, so it depends on something that is not set up anew";
}

// A choice of these parties is new, or the same as before.
bool Search::repeats(std::uint32_t able)
{
    if (depth_ == decisions_.size() || (decisions_[depth_].of_parties && decisions_[depth_].able == able))
        return true;
    differ(choice(able));
    return false;
}

void Search::add(Touches& to, SomeTouches more)
{
    for (const Touch& touch : more) {
        const auto same =
            std::find_if(to.begin(), to.end(), [&](const Touch& known) { return known.what == touch.what; });
        if (same == to.end())
            to.push_back(touch);
        else
            same->writes = same->writes || touch.writes;
    }
}

bool Search::depend(SomeTouches one, SomeTouches other)
{
    for (const Touch& a : one)
        for (const Touch& b : other)
            if (a.what == b.what && (a.writes || b.writes))
                return true;
    return false;
}

Search::SomeTouches Search::touches_of(std::size_t step) const
{
    const std::size_t first = steps_[step].first_touch;
    const std::size_t end = step + 1 < steps_.size() ? steps_[step + 1].first_touch : touches_.size();
    return SomeTouches(touches_).subspan(first, end - first);
}

bool Search::sleeps(const Decision& decision, std::size_t party)
{
    return std::any_of(decision.sleepers.begin(), decision.sleepers.end(),
                       [&](const Sleeper& sleeper) { return sleeper.party == party; });
}

// Whatever a step has read so far decides what it goes on to touch; its decision collects all of that.
void Search::end_step()
{
    if (reduction_ == Reduction::of_all && !steps_.empty())
        add(decisions_[steps_.back().decision].touches, touches_of(steps_.size() - 1));
}

void Search::begin_step(std::size_t decision, std::size_t party)
{
    const bool same_turn = !steps_.empty() && steps_.back().party == party;
    steps_.push_back({decision, party, touches_.size(), same_turn ? steps_.back().turn : steps_.size()});
}

void Search::go_on(std::size_t party)
{
    if (reduction_ != Reduction::none)
        begin_step(none, party);
}

std::optional<std::size_t> Search::choose_party(const Parties& parties)
{
    const std::uint32_t able = bits(parties);
    if (!repeats(able))
        return std::nullopt;
    if (reduction_ == Reduction::none) {
        if (depth_ == decisions_.size()) {
            decisions_.push_back({true, parties.size(), 0, able});
            decisions_.back().parties = parties;
        }
        const Decision& decision = decisions_[depth_++];
        return decision.parties[decision.taken];
    }
    end_step();
    if (depth_ == decisions_.size()) {
        Decision decision{true, 0, 0, able};
        if (reduction_ == Reduction::of_all && !steps_.empty()) {
            const Step& last = steps_.back();
            for (const Sleeper& sleeper : decisions_[last.decision].sleepers)
                if (sleeper.party != last.party && !depend(sleeper.touches, touches_of(steps_.size() - 1)))
                    decision.sleepers.push_back(sleeper);
        }
        const auto first = std::find_if(parties.begin(), parties.end(),
                                        [&](std::size_t party) { return !sleeps(decision, party); });
        if (first == parties.end())
            return std::nullopt;
        decision.taken = *first;
        decision.to_try = bit(*first);
        decisions_.push_back(std::move(decision));
    }
    const std::size_t party = decisions_[depth_].taken;
    begin_step(depth_++, party);
    return party;
}

std::optional<std::size_t> Search::choose(std::size_t candidates)
{
    if (depth_ == decisions_.size())
        decisions_.push_back({false, candidates, 0});
    if (decisions_[depth_].of_parties || decisions_[depth_].candidates != candidates) {
        differ(choice(candidates));
        return std::nullopt;
    }
    return decisions_[depth_++].taken;
}

void Search::touch(Name what, bool writes)
{
    if (reduction_ != Reduction::none && !steps_.empty())
        touches_.push_back({what, writes});
}

void Search::end_party(std::size_t party)
{
    if (reduction_ != Reduction::none && !steps_.empty())
        ended_.emplace_back(steps_.size() - 1, party);
}

// In another execution the party goes on instead of the earlier step's.
void Search::try_before(std::size_t earlier, std::size_t party)
{
    if (steps_[earlier].decision == none)
        return;
    Decision& decision = decisions_[steps_[earlier].decision];
    decision.to_try |= (decision.able & bit(party)) != 0 ? bit(party) : decision.able;
}

// In another execution the later step comes before the earlier one.
//
// Whatever else does not depend on the earlier one may come before it, too. Any party will do whose first
// step of these depends on no other of them; where there are none, the later step's. It has to be such a one
// where parties sleep: one that sleeps stands for the executions that can begin with it, and for no others
// (source sets after Abdulla, Aronis, Jonsson and Sagonas). What the later step will do in the earlier one's
// place is not known, so all the others come before it, even those that are behind it in this execution.
void Search::reverse(std::size_t earlier, std::size_t later)
{
    const Step& first = steps_[earlier];
    const std::size_t party = steps_[later].party;
    if (reduction_ == Reduction::of_bounded) {
        try_before(earlier, party);
        try_before(first.turn, party);
        return;
    }
    std::uint32_t begun = 0, may_begin = 0;
    VectorClock begins{}; // of each party its first step
    for (std::size_t index = earlier + 1; index < steps_.size(); ++index) {
        const Step& step = steps_[index];
        if ((begun & bit(step.party)) != 0 || step.before[first.party] >= first.before[first.party])
            continue;
        bool depends = false;
        for (std::size_t other = 0; other < most_parties; ++other)
            depends = depends || ((begun & bit(other)) != 0 && step.before[other] >= begins[other]);
        begun |= bit(step.party);
        begins[step.party] = step.before[step.party];
        if (!depends)
            may_begin |= bit(step.party);
    }
    if (may_begin == 0)
        return try_before(earlier, party);
    const Decision& decision = decisions_[first.decision];
    for (std::size_t other = 0; other < most_parties; ++other)
        if ((may_begin & bit(other)) != 0 && ((decision.to_try & bit(other)) != 0 || sleeps(decision, other)))
            return;
    try_before(earlier, static_cast<std::size_t>(std::countr_zero(may_begin)));
}

// Two steps of different parties that depend on each other, and of which the earlier comes before the later
// by nothing else. Of each party the last such step is enough: its others come before that one.
void Search::find_reversible()
{
    // What an ended party would have done is not known, nor what would have come before that: all are tried.
    for (const auto& [step, party] : ended_) {
        if (steps_[step].decision != none)
            decisions_[steps_[step].decision].to_try |= decisions_[steps_[step].decision].able;
        if (reduction_ == Reduction::of_bounded)
            try_before(steps_[step].turn, party);
    }
    reversible_.clear();
    touched_.clear();
    std::array<const Step*, most_parties> last{};
    for (std::size_t index = 0; index < steps_.size(); ++index) {
        Step& step = steps_[index];
        if (last[step.party] != nullptr)
            step.before = last[step.party]->before;
        std::array<std::uint32_t, most_parties> latest{}; // of each party, + 1
        for (const Touch& touch : touches_of(index)) {
            const Touched& touched = touched_.at(touch.what);
            for (std::size_t party = 0; party < most_parties; ++party) {
                latest[party] = std::max(latest[party], touched.written[party]);
                if (touch.writes)
                    latest[party] = std::max(latest[party], touched.read[party]);
            }
        }
        latest[step.party] = 0;
        for (auto next = std::ranges::max_element(latest); *next != 0;
             next = std::ranges::max_element(latest)) {
            const std::size_t earlier = std::exchange(*next, 0) - 1;
            const Step& other = steps_[earlier];
            if (other.before[other.party] <= step.before[other.party])
                continue;
            reversible_.emplace_back(earlier, index);
            for (std::size_t party = 0; party < most_parties; ++party)
                step.before[party] = std::max(step.before[party], other.before[party]);
        }
        ++step.before[step.party];
        last[step.party] = &step;
        for (const Touch& touch : touches_of(index)) {
            Touched& touched = touched_.at(touch.what);
            (touch.writes ? touched.written : touched.read)[step.party] =
                static_cast<std::uint32_t>(index + 1);
        }
    }
    for (const auto& [earlier, later] : reversible_)
        reverse(earlier, later);
}

bool Search::change(Decision& decision)
{
    if (!decision.of_parties || reduction_ == Reduction::none)
        return ++decision.taken < decision.candidates;
    decision.tried |= bit(decision.taken);
    const std::size_t tried = decision.taken;
    for (std::size_t party = 0; party < most_parties; ++party)
        if ((decision.to_try & ~decision.tried & bit(party)) != 0 && !sleeps(decision, party)) {
            if (reduction_ == Reduction::of_all)
                decision.sleepers.push_back({tried, std::move(decision.touches)});
            decision.touches.clear();
            decision.taken = party;
            return true;
        }
    return false;
}

bool Search::next()
{
    if (reduction_ != Reduction::none) {
        end_step();
        find_reversible();
    }
    // An execution that was left may have had fewer decisions than were made for it: none are left over.
    decisions_.resize(depth_);
    while (!decisions_.empty() && !change(decisions_.back()))
        decisions_.pop_back();
    return !decisions_.empty();
}

} // namespace parley::explorer

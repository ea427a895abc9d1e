// SPDX-License-Identifier: MIT
#include "testing/exploring/search.hpp"

#include <algorithm>
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

void Search::add(Touches& to, const Touches& more)
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

bool Search::depend(const Touches& one, const Touches& other)
{
    for (const Touch& a : one)
        for (const Touch& b : other)
            if (a.what == b.what && (a.writes || b.writes))
                return true;
    return false;
}

bool Search::sleeps(const Decision& decision, std::size_t party)
{
    return std::any_of(decision.sleepers.begin(), decision.sleepers.end(),
                       [&](const Sleeper& sleeper) { return sleeper.party == party; });
}

// Whatever a step has read so far decides what it goes on to touch; its decision collects all of that.
void Search::end_step()
{
    if (!steps_.empty())
        add(decisions_[steps_.back().decision].touches, steps_.back().touches);
}

std::optional<std::size_t> Search::choose_party(const Parties& parties)
{
    const std::uint32_t able = bits(parties);
    if (!repeats(able))
        return std::nullopt;
    if (!reduces_) {
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
        if (!steps_.empty()) {
            const Step& last = steps_.back();
            for (const Sleeper& sleeper : decisions_[last.decision].sleepers)
                if (sleeper.party != last.party && !depend(sleeper.touches, last.touches))
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
    steps_.push_back({depth_++, party, {}});
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
    if (reduces_ && !steps_.empty())
        add(steps_.back().touches, {{what, writes}});
}

// Two steps of different parties that depend on each other, and of which the earlier comes before the later
// by nothing else: in another execution the later one's party goes on instead of the earlier one's.
void Search::find_reversible()
{
    std::vector<const Step*> last(most_parties);
    for (std::size_t index = 0; index < steps_.size(); ++index) {
        Step& step = steps_[index];
        if (last[step.party] != nullptr)
            step.before = last[step.party]->before;
        for (std::size_t earlier = index; earlier-- > 0;) {
            const Step& other = steps_[earlier];
            if (other.party == step.party || other.before[other.party] <= step.before[other.party] ||
                !depend(other.touches, step.touches))
                continue;
            Decision& decision = decisions_[other.decision];
            decision.to_try |= (decision.able & bit(step.party)) != 0 ? bit(step.party) : decision.able;
            for (std::size_t party = 0; party < most_parties; ++party)
                step.before[party] = std::max(step.before[party], other.before[party]);
        }
        ++step.before[step.party];
        last[step.party] = &step;
    }
}

bool Search::change(Decision& decision)
{
    if (!decision.of_parties || !reduces_)
        return ++decision.taken < decision.candidates;
    decision.tried |= bit(decision.taken);
    const std::size_t tried = decision.taken;
    for (std::size_t party = 0; party < most_parties; ++party)
        if ((decision.to_try & ~decision.tried & bit(party)) != 0 && !sleeps(decision, party)) {
            decision.sleepers.push_back({tried, std::move(decision.touches)});
            decision.touches.clear();
            decision.taken = party;
            return true;
        }
    return false;
}

bool Search::next()
{
    if (reduces_) {
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

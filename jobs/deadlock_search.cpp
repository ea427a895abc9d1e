// SPDX-License-Identifier: MIT
#include "jobs/deadlock_search.hpp"

#include <algorithm>
#include <limits>

namespace parley::jobs {

namespace {

constexpr std::int64_t all_wait = 1, somebody_waits = 2;
constexpr int number_shift = 2;

} // namespace

DeadlockSearch::Words DeadlockSearch::answer(std::int64_t wave, const MachineState& state)
{
    return {wave << number_shift | (state.all_wait ? all_wait : 0) |
                (state.somebody_waits ? somebody_waits : 0),
            static_cast<std::int64_t>(state.epochs), state.sent, state.received,
            state.begun << 1 | (state.gathers ? 1 : 0)};
}

std::int64_t DeadlockSearch::begin()
{
    for (MachineAnswers& entry : entries_)
        entry = {.now = {}, .before = entry.now};
    left_ = static_cast<unsigned>(entries_.size());
    return ++number_;
}

bool DeadlockSearch::add(unsigned machine, const Words& answer)
{
    if (machine >= entries_.size() || left_ == 0 || answer[0] >> number_shift != number_ ||
        entries_[machine].now.come)
        return false;
    entries_[machine].now = {true,
                             {(answer[0] & all_wait) != 0, (answer[0] & somebody_waits) != 0,
                              static_cast<std::uint64_t>(answer[1]), answer[2], answer[3], answer[4] >> 1,
                              (answer[4] & 1) != 0}};
    return --left_ == 0 && nobody_can_go_on();
}

bool DeadlockSearch::nobody_can_go_on() const
{
    bool all = true, somebody = false;
    std::int64_t on_their_way = 0;
    for (const auto& [now, before] : entries_) {
        all = all && now == before && now.state.all_wait;
        somebody = somebody || now.state.somebody_waits;
        on_their_way += now.state.sent - now.state.received;
    }
    return all && somebody && on_their_way == 0 && nothing_comes_together();
}

// The last gathering that all have begun is over on each machine.
bool DeadlockSearch::nothing_comes_together() const
{
    std::int64_t by_all = std::numeric_limits<std::int64_t>::max();
    for (const MachineAnswers& entry : entries_)
        by_all = std::min(by_all, entry.now.state.begun);
    return std::ranges::none_of(entries_, [&](const MachineAnswers& entry) {
        return entry.now.state.begun == by_all && entry.now.state.gathers;
    });
}

} // namespace parley::jobs

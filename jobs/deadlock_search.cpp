// SPDX-License-Identifier: MIT
#include "jobs/deadlock_search.hpp"

namespace parley::jobs {

namespace {

constexpr std::int64_t all_wait = 1, somebody_waits = 2;
constexpr int number_shift = 2;

} // namespace

DeadlockSearch::Words DeadlockSearch::answer(std::int64_t wave, const MachineState& state)
{
    return {wave << number_shift | (state.all_wait ? all_wait : 0) |
                (state.somebody_waits ? somebody_waits : 0),
            static_cast<std::int64_t>(state.epochs), state.sent, state.received};
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
                              static_cast<std::uint64_t>(answer[1]), answer[2], answer[3]}};
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
    return all && somebody && on_their_way == 0;
}

} // namespace parley::jobs

// SPDX-License-Identifier: MIT
#include "native/nxrun/deadlock_search.hpp"

#include <utility>

namespace parley::native {

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
    last_ = std::exchange(answers_, std::vector<Answer>(machines_));
    left_ = machines_;
    return ++number_;
}

bool DeadlockSearch::add(unsigned machine, const Words& answer)
{
    if (machine >= machines_ || left_ == 0 || answer[0] >> number_shift != number_ || answers_[machine].come)
        return false;
    answers_[machine] = {true,
                         {(answer[0] & all_wait) != 0, (answer[0] & somebody_waits) != 0,
                          static_cast<std::uint64_t>(answer[1]), answer[2], answer[3]}};
    return --left_ == 0 && nobody_can_go_on();
}

bool DeadlockSearch::nobody_can_go_on() const
{
    bool all = answers_ == last_, somebody = false;
    std::int64_t on_their_way = 0;
    for (const Answer& one : answers_) {
        all = all && one.state.all_wait;
        somebody = somebody || one.state.somebody_waits;
        on_their_way += one.state.sent - one.state.received;
    }
    return all && somebody && on_their_way == 0;
}

} // namespace parley::native

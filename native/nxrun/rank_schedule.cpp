// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_schedule.hpp"

namespace parley::native {

void RankSchedule::begin()
{
    begun_ = true;
    federation_.begin();
}

int RankSchedule::take_turns(const std::vector<int>& processors, unsigned slice_milliseconds)
{
    turns_.emplace(processors, slice_milliseconds);
    return turns_->descriptor();
}

void RankSchedule::run()
{
    if (begun_)
        ranks_.go_on();
    else
        begin();
}

void RankSchedule::attend()
{
    switch (turns_->attend()) {
    case Turns::Change::none: return;
    case Turns::Change::go: return run();
    case Turns::Change::halt: ranks_.halt(); return turns_->halted();
    }
}

// A turn that is over by the time that nxrun goes on is given back before any rank runs.
void RankSchedule::pause()
{
    const bool ran = begun_ && !ranks_.are_halted();
    if (ran)
        ranks_.halt();
    control_.suspend();
    if (turns_)
        attend();
    if (ran && (!turns_ || turns_->runs()))
        run();
}

void RankSchedule::look()
{
    if (turns_)
        turns_->look_after_keeper();
}

unsigned long RankSchedule::finish()
{
    const unsigned long turns = turns_ ? turns_->begun() : 0;
    turns_.reset();
    return turns;
}

} // namespace parley::native

// SPDX-License-Identifier: MIT
#include "native/nxrun/schedule.hpp"

namespace parley::native {

void Schedule::begin()
{
    begun_ = true;
    federation_.begin();
}

int Schedule::take_turns(const std::vector<int>& processors, unsigned slice_milliseconds)
{
    turns_.emplace(processors, slice_milliseconds);
    return turns_->descriptor();
}

void Schedule::run()
{
    if (begun_)
        ranks_.go_on();
    else
        begin();
}

void Schedule::attend()
{
    switch (turns_->attend()) {
    case Turns::Change::none: return;
    case Turns::Change::go: return run();
    case Turns::Change::halt: ranks_.halt(); return turns_->halted();
    }
}

// A turn that is over by the time that nxrun goes on is given back before any rank runs.
void Schedule::pause()
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

void Schedule::look()
{
    if (turns_)
        turns_->look_after_keeper();
}

unsigned long Schedule::finish()
{
    const unsigned long turns = turns_ ? turns_->begun() : 0;
    turns_.reset();
    return turns;
}

} // namespace parley::native

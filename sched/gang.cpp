// SPDX-License-Identifier: MIT
#include "sched/gang.hpp"

namespace parley::sched {

void Gang::add(Process& member)
{
    member.gang = this;
    member.member = size_;
    member.queue = &queue_;
    ++size_;
    members_.push_back(member);
    living.fetch_add(1, std::memory_order_relaxed);
}

} // namespace parley::sched

// SPDX-License-Identifier: MIT
#include "sched/gang.hpp"

#include "assertion.hpp"

namespace parley::sched {

void Gang::add(Process& member)
{
    assert_that([&] { return !link.linked() && processor_count == 0; });
    member.gang = this;
    member.member = size_;
    member.queue = &queue_;
    ++size_;
    members_.push_back(member);
    living.fetch_add(1, std::memory_order_relaxed);
}

} // namespace parley::sched

// SPDX-License-Identifier: MIT
#include "kernel/queues.hpp"

#include "arch/x86_64/clock.hpp"
#include "sched/slot_scheduler.hpp"
#include "sched/system_scheduler.hpp"

namespace parley::kernel {

Result<void> Queues::make(Window& window, GangPolicy policy, const Processors& processors)
{
    const sched::ServerSet& servers = processors.servers();
    if (policy == GangPolicy::slots)
        scheduler_ = TRY(window.create<sched::SlotScheduler>(servers, arch::nanoseconds));
    else
        scheduler_ = TRY(window.create<sched::SystemScheduler>(servers, arch::nanoseconds));
    urgent_ = TRY(window.create<sched::UrgentQueue>(*scheduler_, servers));
    threads_ = TRY(window.create<sched::ThreadQueue>(servers));
    service_ = TRY(window.create<sched::FifoQueue>(processors.service_server()));
    return {};
}

} // namespace parley::kernel

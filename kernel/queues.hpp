// SPDX-License-Identifier: MIT
// The ready queues of the machine, made by the boot. Processors that run jobs serve the scheduler, in which
// jobs have queues of their own; the service processor serves a queue that nobody else looks at.
#pragma once

#include "kernel/memory/window.hpp"
#include "kernel/processors.hpp"
#include "kernel/program/configuration.hpp"
#include "sched/fifo_queue.hpp"
#include "sched/gang_host.hpp"
#include "sched/thread_queue.hpp"
#include "sched/urgent_queue.hpp"

namespace parley::kernel {

class Queues {
public:
    // Makes them in the window, once, before any dispatcher serves one. Errors: no_memory.
    Result<void> make(Window& window, GangPolicy policy, const Processors& processors);

    sched::GangHost& scheduler() const { return *scheduler_; }
    // The queue of processes that go before all others.
    sched::UrgentQueue& urgent() const { return *urgent_; }
    // The queue of threads whose processes are members of gangs.
    sched::ThreadQueue& threads() const { return *threads_; }
    sched::FifoQueue& service() const { return *service_; }

private:
    sched::GangHost* scheduler_ = nullptr;
    sched::UrgentQueue* urgent_ = nullptr;
    sched::ThreadQueue* threads_ = nullptr;
    sched::FifoQueue* service_ = nullptr;
};

} // namespace parley::kernel

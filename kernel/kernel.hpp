// SPDX-License-Identifier: MIT
// The kernel's objects, in one place: made by the boot steps, used by whoever serves a trap. There is one,
// since there is one machine; classes get what they need through their constructors and do not reach for it.
#pragma once

#include "arch/x86_64/acpi.hpp"
#include "arch/x86_64/boot_info.hpp"
#include "arch/x86_64/memory_map.hpp"
#include "kernel/hooks.hpp"
#include "kernel/job/job_ends.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/process/timer_queue.hpp"
#include "kernel/program/archive.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/report/heartbeat.hpp"
#include "sched/dispatcher.hpp"
#include "sched/fifo_queue.hpp"
#include "sched/gang_host.hpp"
#include "sched/urgent_queue.hpp"
#include "sched/wait_table.hpp"

#include <cstddef>
#include <new>

namespace parley::kernel {

class Job;

struct Kernel {
    arch::BootInfo boot;
    arch::Machine machine;
    FramePool frames;
    FrameOwner* owner = nullptr; // of the kernel's own memory
    Window* windows[WINDOW_COUNT] = {};
    std::size_t memory_frames = 0; // free ones when the boot was done

    Archive archive;
    Configuration configuration;
    ResultsChannel results;
    Heartbeat heartbeat{results};

    unsigned processors = 0;        // that run jobs
    bool service_processor = false; // one more keeps the time, so that no tick lands on the others
    arch::Processor* processor[arch::max_processors + 1] = {};
    sched::Dispatcher* dispatchers[arch::max_processors + 1] = {};
    sched::ServerSet servers;             // the dispatchers of those that run jobs
    sched::GangHost* scheduler = nullptr; // of the machine
    sched::UrgentQueue* urgent = nullptr; // of processes that go before its others
    Hooks hooks;                          // of a measuring kernel
    sched::ServerSet service_server;      // the service processor's
    sched::FifoQueue* service_queue = nullptr;
    sched::WaitTable waits;
    TimerQueue timers{waits};
    JobEnds job_ends{waits};
    static constexpr unsigned max_running_jobs = WINDOW_COUNT - 1;
    std::atomic<Job*> jobs[max_running_jobs] = {}; // those that run
    std::atomic<unsigned> rows{0};                 // results reported so far
    // By how many nanoseconds a tick came too late at most since this was last set to 0.
    std::atomic<std::uint64_t> latest_tick{0};
};

// The one that boot_main() makes before anything else; here, so that asking for it takes no call.
alignas(Kernel) extern std::byte kernel_memory[sizeof(Kernel)];

inline Kernel& kernel() { return *std::launder(reinterpret_cast<Kernel*>(kernel_memory)); }

} // namespace parley::kernel

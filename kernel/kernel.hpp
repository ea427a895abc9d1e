// SPDX-License-Identifier: MIT
// The kernel's objects, in one place: made by the boot steps, used by whoever serves a trap. There is one, since there is one machine;
// classes get what they need through their constructors and do not reach for it.
#pragma once

#include "arch/x86_64/acpi.hpp"
#include "arch/x86_64/boot_info.hpp"
#include "arch/x86_64/memory_map.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/process/timer_queue.hpp"
#include "kernel/program/archive.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/report/results_channel.hpp"
#include "sched/dispatcher.hpp"
#include "sched/wait_table.hpp"

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

    unsigned processors = 0; // that take part
    arch::Processor* processor[arch::max_processors] = {};
    sched::ReadyQueue queues[arch::max_processors];
    sched::Dispatcher dispatchers[arch::max_processors];
    sched::WaitTable waits;
    TimerQueue timers{waits};
    std::atomic<Job*> job{nullptr}; // the one that runs
    std::atomic<unsigned> rows{0};  // results reported so far
};

Kernel& kernel();

} // namespace parley::kernel

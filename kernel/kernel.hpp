// SPDX-License-Identifier: MIT
// The kernel's parts, in the order in which the boot steps make them; each part is given those before it that
// it needs. There is one kernel, since there is one machine: what the machine calls finds its parts by
// kernel/found.hpp, everybody else is handed them.
#pragma once

#include "arch/x86_64/acpi.hpp"
#include "arch/x86_64/boot_info.hpp"
#include "kernel/hooks.hpp"
#include "kernel/job/running_jobs.hpp"
#include "kernel/memory/machine_memory.hpp"
#include "kernel/process/timer_queue.hpp"
#include "kernel/processors.hpp"
#include "kernel/program/archive.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/queues.hpp"
#include "kernel/report/run_record.hpp"
#include "sched/wait_table.hpp"

#include <cstddef>
#include <new>

namespace parley::kernel {

class Machines;

struct Kernel {
    RunRecord record;
    arch::BootInfo boot;       // what the loader says
    arch::AcpiMachine machine; // and the firmware
    MachineMemory memory;
    Archive archive;
    Configuration configuration;
    Processors processors;
    Queues queues;
    Hooks hooks; // of a measuring kernel
    sched::WaitTable waits;
    TimerQueue timers{waits};
    RunningJobs jobs{waits};
    Machines* machines = nullptr; // null: this one is alone
};

// The one that boot_main() makes before anything else; here, so that finding it takes no call.
alignas(Kernel) extern std::byte kernel_memory[sizeof(Kernel)];

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// How what the machine calls (traps, proxy calls, the platform of the message system) finds the kernel's
// parts. Nobody can hand these anything, so there is a function for each thing that one of them needs, which
// is compiled in place. Whatever is made by somebody is given its parts instead.
#pragma once

#include "kernel/kernel.hpp"

namespace parley::kernel {

namespace found {

inline Kernel& kernel() { return *std::launder(reinterpret_cast<Kernel*>(kernel_memory)); }

} // namespace found

inline sched::WaitTable& wait_table() { return found::kernel().waits; }
inline TimerQueue& timers() { return found::kernel().timers; }
inline MachineMemory& machine_memory() { return found::kernel().memory; }
inline const Processors& processors() { return found::kernel().processors; }
inline sched::GangHost& scheduler() { return found::kernel().queues.scheduler(); }
inline sched::ThreadQueue& thread_queue() { return found::kernel().queues.threads(); }
inline RunningJobs& running_jobs() { return found::kernel().jobs; }
inline RunRecord& run_record() { return found::kernel().record; }
inline const Configuration& configuration() { return found::kernel().configuration; }
// Null: this machine is alone.
inline Machines* machines() { return found::kernel().machines; }
// Null: no study injects anything at ticks.
inline TickHook* tick_hook() { return found::kernel().hooks.tick; }

} // namespace parley::kernel

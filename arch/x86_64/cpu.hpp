// SPDX-License-Identifier: MIT
// The scheduler's operations (arch/dispatching.hpp) on a real processor.
#pragma once

#include "arch/execution_state.hpp"
#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "arch/x86_64/processor.hpp"
#include "arch/x86_64/registers.hpp"

namespace parley::arch {

inline void begin_dispatching(Processor& processor, void* dispatcher, void* process)
{
    processor.dispatcher = dispatcher;
    processor.current = process;
    processor.loaded_space = kernel_table().root();
}

inline void* local_dispatcher() { return this_processor().dispatcher; }

inline void switch_execution(Processor& processor, ExecutionState& from, const ExecutionState& to,
                             void* process)
{
    if (from.floating_point != nullptr)
        save_floating_point(*from.floating_point);
    const PhysAddr space = to.address_space.value != 0 ? to.address_space : kernel_table().root();
    // A processor holds a domain's table only while it runs a process of it, so a domain of one process needs
    // no shoot-downs.
    if (space != processor.loaded_space) {
        processor.loaded_space = space;
        write_cr3(space.value);
    }
    set_kernel_stack(processor, to.kernel_stack);
    processor.current = process;
    if (to.floating_point != nullptr) {
        write_msr(Msr::fs_base, to.thread_pointer);
        load_floating_point(*to.floating_point);
    }
    switch_context(&from.context, to.context);
}

inline void start_ticks(std::uint64_t nanoseconds) { start_timer(nanoseconds); }
inline void stop_ticks() { stop_timer(); }
// Without ticks a processor looks for work by itself.
inline void wake_processor(Processor& processor)
{
    if (has_ticks())
        send_interrupt(processor.apic_id, WAKEUP_VECTOR);
}

} // namespace parley::arch

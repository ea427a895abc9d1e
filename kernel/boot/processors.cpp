// SPDX-License-Identifier: MIT
// Boot steps: the clock and the processors.
#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "arch/x86_64/smp.hpp"
#include "arch/x86_64/trap.hpp"
#include "kernel/boot/steps.hpp"

namespace parley::kernel {

namespace {

// A processor's block, and the stacks it starts and has emergencies on. The starting stack stays its idle process's.
Result<void> equip(Kernel& kernel, unsigned id, std::uint64_t& stack, std::uint64_t& emergency_stack)
{
    Window& window = *kernel.windows[0];
    arch::Processor& processor = *TRY(window.create<arch::Processor>());
    processor.id = id;
    processor.apic_id = kernel.machine.apic_ids[id];
    stack = TRY(window.stack(arch::kernel_stack_bytes));
    emergency_stack = TRY(window.stack(arch::kernel_stack_bytes));
    arch::set_kernel_stack(processor, stack);
    kernel.processor[id] = &processor;
    return {};
}

// The interrupt controller lists processors in any order; ours is number 0.
void put_first(arch::Machine& machine, std::uint32_t own)
{
    for (unsigned i = 1; i < machine.processors; ++i) {
        if (machine.apic_ids[i] == own)
            std::swap(machine.apic_ids[0], machine.apic_ids[i]);
    }
}

} // namespace

StepResult start_clock(Kernel& kernel)
{
    arch::calibrate_clock(kernel.machine.timer_port);
    return {};
}

StepResult start_first_processor(Kernel& kernel)
{
    const Result<std::byte*> registers = kernel.windows[0]->map_device(kernel.machine.apic);
    if (!registers)
        return refuse("there is too little memory for the interrupt controller", registers.error());
    arch::use_apic(reinterpret_cast<std::uintptr_t>(*registers));
    arch::fill_trap_table();
    put_first(kernel.machine, arch::apic_id());
    std::uint64_t stack = 0;
    std::uint64_t emergency_stack = 0;
    if (const Result<void> equipped = equip(kernel, 0, stack, emergency_stack); !equipped)
        return refuse("there is too little memory for processor 0", equipped.error());
    arch::start_processor(*kernel.processor[0], emergency_stack);
    if (!arch::protections_on())
        return refuse("this processor lacks SMEP, SMAP or UMIP, without which nothing is protected", Error::not_found);
    arch::enable_apic();
    arch::calibrate_timer();
    return {};
}

StepResult start_other_processors(Kernel& kernel)
{
    arch::pause_wanted = kernel.configuration.pause;
    sched::Dispatcher::set_dispatchers(kernel.dispatchers, kernel.processors);
    kernel.dispatchers[0].start(*kernel.processor[0], kernel.queues[0]);
    for (unsigned id = 1; id < kernel.processors; ++id) {
        std::uint64_t stack = 0;
        std::uint64_t emergency_stack = 0;
        if (const Result<void> equipped = equip(kernel, id, stack, emergency_stack); !equipped)
            return refuse("there is too little memory for another processor", equipped.error());
        arch::start_other_processor(*kernel.processor[id], stack, emergency_stack);
    }
    return {};
}

} // namespace parley::kernel

namespace parley::arch {

void on_processor_started(Processor& processor)
{
    kernel::Kernel& kernel = kernel::kernel();
    sched::Dispatcher& dispatcher = kernel.dispatchers[processor.id];
    dispatcher.start(processor, kernel.queues[processor.id]);
    start_timer(sched::time_slice_nanoseconds);
    dispatcher.idle();
}

} // namespace parley::arch

// SPDX-License-Identifier: MIT
// Boot steps: the processors.
#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "arch/x86_64/smp.hpp"
#include "arch/x86_64/trap.hpp"
#include "kernel/boot/steps.hpp"
#include "kernel/found.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace parley::kernel {

namespace {

// A processor's block, and the stacks it starts and has emergencies on. The starting stack stays its idle
// process's.
Result<void> equip(Kernel& kernel, unsigned id, std::uint64_t& stack, std::uint64_t& emergency_stack)
{
    Window& window = kernel.memory.own_window();
    arch::Processor& processor = *TRY(window.create<arch::Processor>());
    processor.id = id;
    processor.apic_id = kernel.machine.apic_ids[id];
    stack = TRY(window.stack(arch::kernel_stack_bytes));
    emergency_stack = TRY(window.stack(arch::kernel_stack_bytes));
    arch::set_kernel_stack(processor, stack);
    kernel.processors.set_block(id, processor);
    return {};
}

// The interrupt controller lists processors in any order; ours is number 0.
void put_first(arch::AcpiMachine& machine, std::uint32_t own)
{
    for (unsigned i = 1; i < machine.processors; ++i) {
        if (machine.apic_ids[i] == own)
            std::swap(machine.apic_ids[0], machine.apic_ids[i]);
    }
}

} // namespace

StepResult start_first_processor(Kernel& kernel)
{
    const Result<std::byte*> registers = kernel.memory.own_window().map_device(kernel.machine.apic);
    if (!registers)
        return refuse("there is too little memory for the interrupt controller", registers.error());
    arch::use_apic(reinterpret_cast<std::uintptr_t>(*registers));
    arch::fill_trap_table();
    put_first(kernel.machine, arch::apic_id());
    std::uint64_t stack = 0;
    std::uint64_t emergency_stack = 0;
    if (const Result<void> equipped = equip(kernel, 0, stack, emergency_stack); !equipped)
        return refuse("there is too little memory for processor 0", equipped.error());
    arch::start_processor(kernel.processors.block(0), emergency_stack);
    if (!arch::protections_on())
        return refuse("this processor lacks SMEP, SMAP or UMIP, without which nothing is protected",
                      Error::not_found);
    arch::look_for_model_clock();
    arch::enable_apic();
    return {};
}

namespace {

sched::ReadyQueue& queue_of(const Kernel& kernel, unsigned id)
{
    if (id == kernel.processors.count())
        return kernel.queues.service();
    return kernel.queues.scheduler();
}

// For each processor.
Result<void> make_dispatchers(Kernel& kernel)
{
    for (unsigned id = 0; id < kernel.processors.all(); ++id) {
        auto* const dispatcher = TRY(kernel.memory.own_window().create<sched::Dispatcher>(id));
        dispatcher->serve(queue_of(kernel, id));
        if (id < kernel.processors.count())
            dispatcher->also_serve(kernel.queues.threads());
        kernel.processors.set_dispatcher(id, *dispatcher);
    }
    return {};
}

constexpr std::string_view too_little_memory = "there is too little memory for the scheduler";

Loaded<void> set_clusters_memory_aside(Kernel& kernel)
{
    const ClusterTable& clusters = kernel.configuration.clusters;
    if (clusters.memory_bytes == 0)
        return {};
    if (kernel.hooks.pages != nullptr)
        return refuse("clusters with memories of their own and banks of memory exclude each other",
                      Error::bad_argument);
    kernel.memory.frames().set_aside({clusters.memory_start}, clusters.memory_bytes, clusters.number);
    return {};
}

Loaded<void> colour_frames(Kernel& kernel)
{
    const unsigned colours = kernel.configuration.colours;
    if (colours == 0)
        return {};
    if (kernel.hooks.pages != nullptr || kernel.configuration.clusters.memory_bytes != 0)
        return refuse("page frames with colours and several memories exclude each other",
                      Error::bad_argument);
    kernel.memory.frames().colour(colours);
    return {};
}

Loaded<void> make_scheduling(Kernel& kernel)
{
    TRY_VOID(explain(
        kernel.queues.make(kernel.memory.own_window(), kernel.configuration.gang_policy, kernel.processors),
        too_little_memory));
    kernel.hooks = TRY(make_hooks(kernel));
    TRY_VOID(set_clusters_memory_aside(kernel));
    TRY_VOID(colour_frames(kernel));
    return explain(make_dispatchers(kernel), too_little_memory);
}

// Where there is a processor to spare, the one that boots keeps the time, and the others become 0, 1, ... in
// their order. An emulator that counts instructions gives processors turns in the machine's order, and one
// that only computes takes all that is left until the next timer is due: a processor behind it would never
// get to its tick.
void keep_time_here(Kernel& kernel)
{
    std::uint32_t* const apic_ids = kernel.machine.apic_ids;
    std::rotate(apic_ids, apic_ids + 1, apic_ids + kernel.processors.count() + 1);
    kernel.processors.make_first_service_processor();
}

// Start the dispatcher of the processor that runs this.
void start_dispatcher(Kernel& kernel, unsigned id)
{
    const bool keeps_time = id == kernel.processors.timekeeper();
    const TickHook* const hook = kernel.hooks.tick;
    const bool always = keeps_time || (hook != nullptr && hook->always_ticks(id));
    kernel.processors.dispatcher(id).start(kernel.processors.block(id), queue_of(kernel, id),
                                           always ? sched::Tick::always : sched::Tick::as_needed,
                                           hook != nullptr ? hook->tick_nanoseconds()
                                                           : sched::time_slice_nanoseconds);
}

} // namespace

StepResult start_other_processors(Kernel& kernel)
{
    arch::pause_wanted = kernel.configuration.pause;
    if (kernel.machine.processors > kernel.processors.count())
        keep_time_here(kernel);
    TRY_VOID(make_scheduling(kernel));
    const unsigned own = arch::this_processor().id;
    start_dispatcher(kernel, own);
    for (unsigned id = 0; id < kernel.processors.all(); ++id) {
        if (id == own)
            continue;
        std::uint64_t stack = 0;
        std::uint64_t emergency_stack = 0;
        if (const Result<void> equipped = equip(kernel, id, stack, emergency_stack); !equipped)
            return refuse("there is too little memory for another processor", equipped.error());
        arch::start_other_processor(kernel.processors.block(id), stack, emergency_stack);
    }
    arch::begin_modelled_time();
    if (kernel.hooks.tick != nullptr)
        kernel.hooks.tick->machine_started();
    return {};
}

void run_other_processor(Kernel& kernel, unsigned id)
{
    start_dispatcher(kernel, id);
    kernel.processors.dispatcher(id).idle();
}

} // namespace parley::kernel

namespace parley::arch {

void on_processor_started(Processor& processor)
{
    kernel::run_other_processor(kernel::found::kernel(), processor.id);
}

} // namespace parley::arch

// SPDX-License-Identifier: MIT
#include "arch/x86_64/processor.hpp"

#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "arch/x86_64/trap.hpp"

namespace parley::arch {

static_assert(offsetof(Processor, self) == 0);
static_assert(offsetof(Processor, kernel_stack) == PROCESSOR_KERNEL_STACK);
static_assert(offsetof(Processor, user_stack) == PROCESSOR_USER_STACK);
static_assert(offsetof(Processor, current) == 24);
static_assert(offsetof(TrapFrame, code_segment) == TRAP_FRAME_CODE_SEGMENT);

extern "C" char system_call_entry[];

namespace {

constexpr std::uint64_t cr4_umip = 1 << 11;
constexpr std::uint64_t cr4_smep = 1 << 20;
constexpr std::uint64_t cr4_smap = 1 << 21;

struct [[gnu::packed]] TablePointer {
    std::uint16_t limit;
    std::uint64_t base;
};

void fill_descriptors(Processor& processor)
{
    const auto task = reinterpret_cast<std::uint64_t>(&processor.task);
    processor.descriptors[KERNEL_CODE / 8] = 0x00af9b000000ffff;
    processor.descriptors[KERNEL_DATA / 8] = 0x00cf93000000ffff;
    processor.descriptors[USER_DATA / 8] = 0x00cff3000000ffff;
    processor.descriptors[USER_CODE / 8] = 0x00affb000000ffff;
    processor.descriptors[TASK_STATE / 8] = (sizeof(TaskState) - 1) | (task & 0xffffff) << 16 |
                                            std::uint64_t{0x89} << 40 | (task >> 24 & 0xff) << 56;
    processor.descriptors[TASK_STATE / 8 + 1] = task >> 32;
}

void load_descriptors(Processor& processor)
{
    const TablePointer pointer{sizeof processor.descriptors - 1,
                               reinterpret_cast<std::uint64_t>(processor.descriptors)};
    asm volatile("lgdt %0\n"
                 "movw %w1, %%ds\n movw %w1, %%es\n movw %w1, %%ss\n"
                 "ltr %w2\n"
                 "pushq %3\n leaq 1f(%%rip), %%rax\n pushq %%rax\n lretq\n1:" ::"m"(pointer),
                 "r"(KERNEL_DATA), "r"(TASK_STATE), "i"(KERNEL_CODE)
                 : "rax", "memory");
}

// A protection that the processor does not have cannot be had; record and banner say which are on.
std::uint64_t wanted_protections()
{
    const CpuId features = cpu_id(7);
    return ((features.b >> 7 & 1) != 0 ? cr4_smep : 0) | ((features.b >> 20 & 1) != 0 ? cr4_smap : 0) |
           ((features.c >> 2 & 1) != 0 ? cr4_umip : 0);
}

void enable_system_calls()
{
    constexpr std::uint64_t cleared_flags = 0x40000 | 0x4000 | 0x400 | 0x200 | 0x100; // AC NT DF IF TF
    // SYSRET takes its segments from here: stack + 8, code + 16.
    write_msr(Msr::star, std::uint64_t{KERNEL_DATA | 3} << 48 | std::uint64_t{KERNEL_CODE} << 32);
    write_msr(Msr::lstar, reinterpret_cast<std::uint64_t>(system_call_entry));
    write_msr(Msr::flag_mask, cleared_flags);
}

} // namespace

void start_processor(Processor& processor, std::uint64_t emergency_stack)
{
    processor.task.interrupt_stack[0] = emergency_stack;
    fill_descriptors(processor);
    load_descriptors(processor);
    write_msr(Msr::gs_base, reinterpret_cast<std::uint64_t>(&processor));
    write_msr(Msr::kernel_gs_base, 0);
    load_trap_table();
    enable_system_calls();
    write_cr4(read_cr4() | wanted_protections() | (traps_clock_readings() ? cr4_time_stamp_disable : 0));
}

bool protections_on()
{
    constexpr std::uint64_t all = cr4_umip | cr4_smep | cr4_smap;
    return (read_cr4() & all) == all;
}

void reset_floating_point(FloatingPoint& state)
{
    for (std::byte& byte : state.bytes)
        byte = std::byte{0};
    // The reset values of the control words: all exceptions masked, double extended precision.
    state.bytes[0] = std::byte{0x7f};
    state.bytes[1] = std::byte{0x03};
    state.bytes[24] = std::byte{0x80};
    state.bytes[25] = std::byte{0x1f};
}

extern "C" void context_start();

void* new_context(std::uint64_t stack_top, void (*entry)(void*), void* argument)
{
    // As switch_context leaves it: r15 r14 r13 r12 rbx rbp, return address. context_start calls r12(r13).
    auto* stack = reinterpret_cast<std::uint64_t*>(stack_top) - 8;
    for (int i = 0; i < 8; ++i)
        stack[i] = 0;
    stack[2] = reinterpret_cast<std::uint64_t>(argument);
    stack[3] = reinterpret_cast<std::uint64_t>(entry);
    stack[6] = reinterpret_cast<std::uint64_t>(&context_start);
    return stack;
}

} // namespace parley::arch

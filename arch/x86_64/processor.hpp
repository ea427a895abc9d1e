// SPDX-License-Identifier: MIT
// One processor: what its assembly finds through gs, its descriptor tables, and the state that a process
// switch loads.
#pragma once

#include "arch/x86_64/registers.hpp"
#include "base/address.hpp"
#include "interface/limits.h"

#include <cstddef>
#include <cstdint>

namespace parley::arch {

inline constexpr unsigned max_processors = PARLEY_MAX_PROCESSORS;
inline constexpr std::size_t kernel_stack_bytes = 16384;

struct [[gnu::packed]] TaskState {
    std::uint32_t reserved0 = 0;
    std::uint64_t stack_of_ring[3] = {};
    std::uint64_t reserved1 = 0;
    std::uint64_t interrupt_stack[7] = {};
    std::uint64_t reserved2 = 0;
    std::uint16_t reserved3 = 0;
    std::uint16_t io_map = sizeof(TaskState);
};

struct Processor {
    Processor* self = this;         // gs:0
    std::uint64_t kernel_stack = 0; // where a system call's stack starts
    std::uint64_t user_stack = 0;   // scratch of the system call's entry
    void* current = nullptr;        // the running sched::Process
    void* dispatcher = nullptr;     // this processor's sched::Dispatcher
    std::uint32_t id = 0;           // dense, 0 is the one that booted
    std::uint32_t apic_id = 0;
    PhysAddr loaded_space; // the page table in force
    std::uint64_t descriptors[7] =
        {}; // null, kernel code, kernel data, user data, user code, task state (two)
    TaskState task;
    std::uint64_t tick_period = 0; // of its timer, in nanoseconds
    std::uint64_t next_tick = 0;   // when it is due, in nanoseconds since boot
};

// The processor that runs this. Only valid where the caller cannot be moved: interrupts off.
inline Processor& this_processor()
{
    Processor* self;
    asm volatile("movq %%gs:0, %0" : "=r"(self));
    return *self;
}

// The running process: one instruction, so right even when the caller is preempted between two calls.
inline void* current_process()
{
    void* current;
    asm volatile("movq %%gs:24, %0" : "=r"(current));
    return current;
}

// Loads descriptor tables, protections and the system call's entry on the processor that runs this.
// `emergency_stack` is used for double faults, NMI and machine checks.
void start_processor(Processor& processor, std::uint64_t emergency_stack);

// Whether this processor has SMEP, SMAP, UMIP and no-execute on.
bool protections_on();

// Floating-point state as FXSAVE writes it: it leaves what is behind `written` as it was.
struct alignas(16) FloatingPoint {
    static constexpr std::size_t written = 416;
    std::byte bytes[512];
};
void reset_floating_point(FloatingPoint& state);
inline void save_floating_point(FloatingPoint& state) { asm volatile("fxsave64 %0" : "=m"(state)); }
inline void load_floating_point(const FloatingPoint& state) { asm volatile("fxrstor64 %0" ::"m"(state)); }

// The segment registers that programs load as they like keep what the last one has put there: empties them.
// A segment's base goes with its register: so gs is emptied between two SWAPGS, and fs gets back the base
// that it has for a thread with that pointer.
inline void clear_segments(std::uintptr_t thread_pointer)
{
    asm volatile("movl %0, %%ds\n movl %0, %%es\n movl %0, %%fs\n"
                 "swapgs\n movl %0, %%gs\n swapgs" ::"r"(0));
    write_msr(Msr::fs_base, thread_pointer);
}

// Says which stack entries from user mode use on that processor.
inline void set_kernel_stack(Processor& processor, std::uint64_t top)
{
    processor.kernel_stack = top - 8; // a CallFrame's nine words then leave it aligned as calls want it
    processor.task.stack_of_ring[0] = top;
}

extern "C" {
// Saves the callee-saved registers and the stack pointer in *save, and goes on with `load`. Returns when
// somebody switches back.
void switch_context(void** save, void* load);
// The first frame of a new kernel stack returns here: it calls entry(argument), which must not return.
[[noreturn]] void enter_user(std::uint64_t entry, std::uint64_t stack);
}

// Makes a stack as switch_context() expects it, which starts in entry(argument).
void* new_context(std::uint64_t stack_top, void (*entry)(void*), void* argument);

} // namespace parley::arch

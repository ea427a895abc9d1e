// SPDX-License-Identifier: MIT
// Traps, interrupts and system calls as the C++ side sees them. The kernel provides the functions named
// on_...: the machine calls up by name, so that this folder depends on nothing above it.
#pragma once

#include "arch/x86_64/asm_offsets.hpp"
#include "base/address.hpp"

#include <cstdint>

namespace parley::arch {

// All registers of the interrupted program, as trap.S stores them.
struct TrapFrame {
    std::uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax;
    std::uint64_t vector, error;
    std::uint64_t instruction, code_segment, flags, stack, stack_segment;

    bool from_user() const { return (code_segment & 3) != 0; }
};

// A system call's registers. Arguments are kept unless the kernel writes a result over them.
struct CallFrame {
    std::uint64_t rdi, rsi, rdx, r10, r8, r9;
    std::uint64_t instruction, flags, stack;
};

// The registers of the call that a process is in, whose kernel stack has this top (processor.hpp:
// set_kernel_stack).
inline CallFrame& call_frame(std::uint64_t kernel_stack)
{
    return *reinterpret_cast<CallFrame*>(kernel_stack - 8 - sizeof(CallFrame));
}

// What a page fault was about.
struct PageFault {
    UserAddress address;
    bool write;
    bool execute;
    bool user; // made with a program's rights; a processor that looks for its own tables has the kernel's
};

extern "C" {
// The first entry into user mode of a process that goes on behind another's call, as if that had answered 0.
[[noreturn]] void enter_call(const CallFrame* frame);
}

void load_trap_table();
// Fills the table of trap entries, which all processors share. Called once, at boot.
void fill_trap_table();

// Provided by the kernel.
void on_page_fault(TrapFrame& frame, PageFault fault);
void on_exception(TrapFrame& frame);
void on_timer(TrapFrame& frame);
void on_wakeup(TrapFrame& frame);
// Another processor asks for something of a device that this one owns.
void on_device();
// Frames have come to this machine's network card. Called on the processor that the kernel has told the card.
void on_network();

// What answers a system call. Its arguments but the first, which are in the frame as well, are still in
// registers.
using CallHandler = std::uint64_t (*)(CallFrame& frame, std::uint64_t rsi, std::uint64_t rdx,
                                      std::uint64_t r10, std::uint64_t r8, std::uint64_t r9);

// A handler for each of the last NUMBERED_CALL_COUNT numbers of 32 bits, and one for all other numbers, which
// are those of Linux's system calls. The kernel sets them before the first program runs.
struct CallHandlers {
    CallHandler numbered[NUMBERED_CALL_COUNT];
    std::uint64_t (*others)(CallFrame& frame, std::uint64_t number);
};
extern "C" CallHandlers call_handlers;

} // namespace parley::arch

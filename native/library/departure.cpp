// SPDX-License-Identifier: MIT
#include "native/library/departure.hpp"

#include "interface/library.h"
#include "native/interface/departure.h"
#include "native/library/linux_calls.hpp"

#include <csignal>
#include <cstdint>
#include <ucontext.h>

namespace parley::library {

extern "C" {
extern const char parley_code_start, parley_code_end; // by the linker script
extern const ::parley_library parley_library;
// In platform.cpp: a signal from the first of these instructions on and before the second has come before
// the sleep.
extern const char parley_before_sleep, parley_after_sleep;
}

namespace {

constexpr long interrupted_call = -4; // EINTR

// As Linux has it for the call, which differs from the C library's.
struct SignalAction {
    void (*handler)(int, siginfo_t*, void*);
    std::uint64_t flags;
    void (*restorer)();
    std::uint64_t mask;
};
constexpr std::uint64_t with_information = 4, with_restorer = 0x04000000;

bool is_in_library(const char* address)
{
    return address >= &parley_code_start && address < &parley_code_end;
}

// The frame's address is that of the context in it, and Linux wants it in the stack pointer.
[[noreturn]] void go_on_at(ucontext_t& context)
{
    asm volatile("movq %0, %%rsp\n\t"
                 "movl $15, %%eax\n\t"
                 "syscall\n\t"
                 "ud2"
                 :
                 : "r"(&context)
                 : "memory");
    __builtin_unreachable();
}

void set_fault_handler(void (*handler)(int, siginfo_t*, void*))
{
    constexpr long mask_bytes = sizeof(std::uint64_t);
    const SignalAction action{handler, with_information | with_restorer, nullptr, ~std::uint64_t{0}};
    linux_call(LinuxCall::set_signal_action, SIGSEGV, reinterpret_cast<long>(&action), 0, mask_bytes);
}

// It has returned out of the library, into code that has been hidden from it. In the library a fault is the
// program's, which gave it an address that is none: it is repeated with nobody to handle it.
[[noreturn]] void returned(int, siginfo_t*, void* frame)
{
    auto& context = *static_cast<ucontext_t*>(frame);
    if (is_in_library(reinterpret_cast<const char*>(context.uc_mcontext.gregs[REG_RIP]))) {
        set_fault_handler(nullptr);
        go_on_at(context);
    }
    // Another thread of the program's: the process ends with the one that is in the message system.
    while (linux_call(LinuxCall::get_thread) != linux_call(LinuxCall::get_process))
        linux_call(LinuxCall::pause);
    const parley_native_place& self = own_place();
    parley_library.leave(self.start.endpoint, self.successor_receives != 0 ? 1 : 0);
    __builtin_unreachable();
}

} // namespace

void unwind(void* frame, const parley_native_code* code, unsigned count)
{
    auto& context = *static_cast<ucontext_t*>(frame);
    greg_t& instruction = context.uc_mcontext.gregs[REG_RIP];
    const auto* const at = reinterpret_cast<const char*>(instruction);
    if (at >= &parley_before_sleep && at < &parley_after_sleep) {
        instruction = reinterpret_cast<greg_t>(&parley_after_sleep);
        context.uc_mcontext.gregs[REG_RAX] = interrupted_call;
    }
    set_fault_handler(returned);
    // Handlers of other signals are hidden, too.
    auto& held_back = *reinterpret_cast<std::uint64_t*>(&context.uc_sigmask);
    held_back = ~(std::uint64_t{1} << (SIGSEGV - 1));
    for (unsigned i = 0; i < count; ++i)
        linux_call(LinuxCall::protect, static_cast<long>(code[i].start), static_cast<long>(code[i].bytes), 1);
    go_on_at(context);
}

} // namespace parley::library

// SPDX-License-Identifier: MIT
#include "kernel/process/upcall.hpp"

#include "interface/upcall.h"
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel {

namespace {

static_assert(sizeof(parley_upcall) == PARLEY_UPCALL_RESUME + 8);
static_assert(offsetof(parley_upcall, r15) == PARLEY_UPCALL_REGISTERS);

constexpr std::uint64_t plain_flags = 0x202; // interrupts on, string instructions upwards, no single steps

bool in_code(const UserProcess& self, std::uint64_t address)
{
    return address >= self.upcall().start.value && address < self.upcall().end.value;
}

void show_code(UserProcess& self)
{
    if (!self.upcall().code_hidden)
        return;
    self.upcall().code_hidden = false;
    (void)self.domain()->hide_code(self.upcall().start, self.upcall().end, Hiding::no);
}

// A program that has unmapped or rewritten its own code gets no interruptions. Where other threads run the
// same code, that cannot be hidden: the next tick that finds the first thread in it interrupts the program.
void hide_code(UserProcess& self)
{
    if (self.threads().count() != 0) {
        self.upcall().due_at_tick = true;
        return;
    }
    if (self.upcall().code_hidden || self.upcall().start.value == self.upcall().end.value)
        return;
    self.upcall().code_hidden =
        self.domain()->hide_code(self.upcall().start, self.upcall().end, Hiding::yes).has_value();
}

parley_upcall registers_of(const arch::TrapFrame& frame, UserAddress resume)
{
    parley_upcall upcall{};
    upcall.r15 = frame.r15;
    upcall.r14 = frame.r14;
    upcall.r13 = frame.r13;
    upcall.r12 = frame.r12;
    upcall.r11 = frame.r11;
    upcall.r10 = frame.r10;
    upcall.r9 = frame.r9;
    upcall.r8 = frame.r8;
    upcall.rdi = frame.rdi;
    upcall.rsi = frame.rsi;
    upcall.rbp = frame.rbp;
    upcall.rbx = frame.rbx;
    upcall.rdx = frame.rdx;
    upcall.rcx = frame.rcx;
    upcall.rax = frame.rax;
    upcall.resume_stack = resume.value;
    return upcall;
}

// The program goes on at its entry for interruptions, with everything it had on its stack.
void begin(UserProcess& self, arch::TrapFrame& frame)
{
    self.pending_work.set_interrupted(false);
    self.upcall().due_at_tick = false;
    show_code(self);
    const parley_upcall_resume resume{frame.flags, frame.instruction};
    const UserAddress resume_at{frame.stack - PARLEY_RED_ZONE - sizeof resume};
    parley_upcall upcall = registers_of(frame, resume_at);
    arch::FloatingPoint state;
    arch::save_floating_point(state); // the kernel itself uses none, so these are still the program's
    __builtin_memcpy(upcall.floating_point, state.bytes, arch::FloatingPoint::written);
    const UserAddress upcall_at{round_down(resume_at.value - sizeof upcall, alignof(arch::FloatingPoint))};
    if (!write_user(resume_at, resume) || !write_user(upcall_at, upcall))
        self.fail("has no room on its stack for a message handler");
    frame.instruction = self.upcall().entry.value;
    frame.stack = upcall_at.value;
    frame.flags = plain_flags;
}

} // namespace

Result<std::uint64_t> set_upcall(UserProcess& self, UserAddress entry, UserAddress start, UserAddress end)
{
    const bool ordered = start.value <= end.value && end.value < AddressSpace::user_end;
    const bool whole_pages = start.value % page_bytes == 0 && end.value % page_bytes == 0;
    if (!ordered || !whole_pages || entry.value >= AddressSpace::user_end)
        return std::unexpected(Error::bad_argument);
    show_code(self);
    self.upcall().entry = entry;
    self.upcall().start = start;
    self.upcall().end = end;
    return 0;
}

void show_code_to_threads(UserProcess& self)
{
    if (!self.upcall().code_hidden)
        return;
    show_code(self);
    self.upcall().due_at_tick = true;
}

void interrupt_program(UserProcess& target)
{
    // Whoever dispatches the process stores that it runs and then looks at its pending work; we store and
    // look the other way round.
    target.pending_work.set_interrupted(true);
    processors().wake_where_it_runs(target);
    target.job().cube().look_again(target.endpoint());
    target.look_at_word_again();
}

void postpone_upcall(UserProcess& self)
{
    self.pending_work.set_interrupted(false);
    hide_code(self);
}

void settle_upcall(UserProcess& self, std::uint64_t value)
{
    constexpr auto interrupted = static_cast<std::uint64_t>(-static_cast<long>(Error::interrupted));
    // This error makes the caller look at its handlers before it goes on.
    if (value == interrupted)
        self.pending_work.set_interrupted(false);
    else
        hide_code(self);
}

void settle_upcall(UserProcess& self, arch::TrapFrame& frame)
{
    if (in_code(self, frame.instruction))
        begin(self, frame);
    else
        hide_code(self);
}

bool begin_hidden_code(UserProcess& self, arch::TrapFrame& frame, UserAddress address)
{
    if (!self.upcall().code_hidden || !in_code(self, address.value) || !in_code(self, frame.instruction))
        return false;
    begin(self, frame);
    return true;
}

} // namespace parley::kernel

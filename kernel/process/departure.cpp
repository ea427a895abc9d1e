// SPDX-License-Identifier: MIT
#include "kernel/process/departure.hpp"

#include "base/text.hpp"
#include "interface/upcall.h"
#include "kernel/job/domain_slots.hpp"
#include "kernel/job/job.hpp"
#include "kernel/job/system_home.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel {

namespace {

using Step = Departure::Step;

// How long a process may take to leave the system's code: three seconds of its own time, by the ticks that
// find it there. Nothing in there waits for others once it is told to give up, but for locks, whose holders
// leave too; the longest thing it does is to copy a message, at most 2 GiB. A program that takes longer
// has damaged the system or runs its code without end.
constexpr std::uint64_t most_ticks = 300;
static_assert(sched::time_slice_nanoseconds * most_ticks == 3'000'000'000);

// What closing an endpoint needs of the program's stack, and more.
constexpr std::size_t stack_room = 16384;

constexpr std::uint64_t plain_flags = 0x202; // interrupts on, string instructions upwards, no single steps

bool is_in(const SystemCode& code, std::uint64_t address)
{
    return address >= code.start.value && address < code.end.value;
}

void hide_program(UserProcess& self, const SystemCode& code)
{
    if (self.domain_slot() != 0) // others live in its domain
        return self.domain()->hide_all_code({domain_slot_start(self.domain_slot())},
                                            {domain_slot_end(self.domain_slot())});
    self.domain()->hide_all_code({AddressSpace::user_start}, code.start);
    self.domain()->hide_all_code(code.end, {AddressSpace::user_end});
}

void begin(UserProcess& self, Step step)
{
    if (self.departure().step == Step::none) {
        self.departure().since = self.ticks;
        self.job().messages().note_departing(true);
    }
    self.departure().step = step;
}

void go_on_in_system(UserProcess& self, const SystemCode& code)
{
    if (self.departure().step == Step::none) {
        begin(self, Step::unwinding);
        hide_program(self, code);
    }
    sched::Dispatcher::here().keep_ticking();
    if (self.ticks - self.departure().since <= most_ticks)
        return;
    self.fail("was to end and has not left the user-level message library within 3 s of its time, so that "
              "others may wait for it for ever");
}

// False: there is no stack to go on with.
template <class Frame>
bool send_to_the_end(UserProcess& self, Frame& frame, const SystemCode& code)
{
    // As after a call, whose return address nobody needs.
    const UserAddress stack{round_down(frame.stack - PARLEY_RED_ZONE, 16) - 8};
    constexpr std::uint64_t nowhere = 0;
    if (!self.domain()->covers({round_down(stack.value - stack_room, page_bytes)}, stack_room) ||
        !write_user(stack, nowhere))
        return false;
    begin(self, Step::leaving);
    sched::Dispatcher::here().keep_ticking();
    frame.instruction = code.leave.value;
    frame.stack = stack.value;
    frame.flags = plain_flags;
    frame.rdi = self.endpoint();
    frame.rsi = self.job().cube().roster().successor_receives(self.endpoint()) ? 1 : 0;
    return true;
}

// In the program's own code it holds nothing that others wait for. `instruction`: as of end_killed().
template <class Frame>
void depart_from(UserProcess& self, Frame& frame, std::uint64_t instruction)
{
    const SystemCode code = self.job().system_home().system_code();
    if (!self.departure().closes_endpoint || self.job().ends().load(std::memory_order_seq_cst) ||
        code.start.value == code.end.value)
        self.end_killed(instruction);
    if (is_in(code, frame.instruction))
        go_on_in_system(self, code);
    else if (self.departure().step == Step::leaving || !send_to_the_end(self, frame, code))
        self.end_killed(instruction);
}

} // namespace

void depart(UserProcess& self, arch::TrapFrame& frame) { depart_from(self, frame, frame.instruction); }

void depart(UserProcess& self, arch::CallFrame& frame) { depart_from(self, frame, 0); }

bool depart_from_hidden_code(UserProcess& self, arch::TrapFrame& frame)
{
    if (!self.pending_work.killed() || is_in(self.job().system_home().system_code(), frame.instruction))
        return false;
    depart(self, frame);
    return true;
}

void end_departure(UserProcess& self)
{
    if (self.departure().step != Step::none)
        self.job().messages().note_departing(false);
    self.departure() = {};
}

} // namespace parley::kernel

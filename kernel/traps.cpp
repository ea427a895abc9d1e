// SPDX-License-Identifier: MIT
// What the machine calls up for (arch/x86_64/trap.hpp): faults, ticks, wake-ups. A program's fault ends the
// program, the kernel's ends the run.
#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "arch/x86_64/trap.hpp"
#include "arch/x86_64/user_copy.hpp"
#include "assertion.hpp"
#include "base/processor_time_points.hpp"
#include "base/text.hpp"
#include "jobs/fault_description.hpp"
#include "kernel/found.hpp"
#include "kernel/job/domain_slots.hpp"
#include "kernel/job/job.hpp"
#include "kernel/network/machines.hpp"
#include "kernel/process/departure.hpp"
#include "kernel/process/upcall.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/report/panic.hpp"

#include <algorithm>

namespace parley::arch {

namespace {

using jobs::exception_sentence;
using jobs::FaultAccess;
using kernel::UserProcess;

[[noreturn]] void fail_program(const TrapFrame& frame, std::string_view what)
{
    Text<160> text;
    text << what;
    jobs::add_instruction(text, frame.instruction);
    UserProcess::here().fail(text.view());
}

[[noreturn]] void fail_access(const TrapFrame& frame, PageFault fault, Error error)
{
    Text<128> text;
    if (error == Error::no_memory)
        text << "found no memory left for its job (give it more, JOB_MEMORY= or MEMORY=)";
    else if (kernel::below_a_stack(fault.address))
        jobs::describe_full_stack(text, kernel::stack_bytes);
    else
        jobs::describe_access(text, fault.address.value,
                              fault.execute ? FaultAccess::execute
                              : fault.write ? FaultAccess::write
                                            : FaultAccess::read);
    fail_program(frame, text.view());
}

// User memory means that of the current process's domain, if it has one.
Result<void> resolve(PageFault fault)
{
    sched::Process& process = sched::current();
    if (process.execution.address_space.value == 0 || fault.address.value >= kernel::AddressSpace::user_end)
        return std::unexpected(Error::bad_buffer);
    const processor_time::AtPage at_page(fault.address.value);
    return static_cast<UserProcess&>(process).domain()->settle_fault(fault.address, fault.write,
                                                                     fault.execute);
}

// Also after what takes interrupts in between: who kills it then tells it once.
void depart_if_killed(UserProcess& self, TrapFrame& frame)
{
    if (self.pending_work.killed())
        kernel::depart(self, frame);
}

// The program has come to code that was hidden from it.
bool goes_on_from_hidden_code(TrapFrame& frame, PageFault fault)
{
    UserProcess& self = UserProcess::here();
    if (kernel::depart_from_hidden_code(self, frame))
        return true;
    if (!kernel::begin_hidden_code(self, frame, fault.address))
        return false;
    depart_if_killed(self, frame);
    return true;
}

// On the way back from an interrupt: the program may have to end, or to run a message handler.
void look_after_program(TrapFrame& frame)
{
    if (!frame.from_user())
        return;
    UserProcess& self = UserProcess::here();
    const bool due = self.pending_work.interrupted() || self.upcall().due_at_tick;
    if (due && !self.pending_work.killed())
        kernel::settle_upcall(self, frame);
    depart_if_killed(self, frame);
}

bool may_give_way(const TrapFrame& frame) { return frame.from_user() || sched::current().preemptible; }

// What asked for it has been taken back by now: it would be lost if the process could not, but for an idle
// processor, which decides anyway.
void give_way(const TrapFrame& frame)
{
    assert_that([&] { return may_give_way(frame) || sched::Dispatcher::here().idles(); });
    if (may_give_way(frame))
        sched::Dispatcher::here().preempt();
}

// At a tick. `asked`: the scheduler wants the processor, whatever is left of the slice.
bool slice_ended(kernel::TickHook* hook, const TrapFrame& frame, bool asked)
{
    if (hook != nullptr)
        return hook->slice_ended(asked, may_give_way(frame));
    return asked || sched::current().kind != sched::ProcessKind::uninterruptible;
}

void keep_time()
{
    const std::uint64_t now = nanoseconds();
    kernel::timers().tick(now);
    if (kernel::Machines* const machines = kernel::machines())
        machines->tick(now);
    std::uint64_t overdue = 0;
    kernel::running_jobs().for_each([&](kernel::Job& job) {
        job.look_after(now);
        overdue = std::max(overdue, job.overdue(now));
    });
    if (kernel::scheduler().advance())
        kernel::processors().decide_again();
    kernel::run_record().heartbeat().tick(kernel::configuration().clock, now, overdue);
}

} // namespace

void on_page_fault(TrapFrame& frame, PageFault fault)
{
    const processor_time::Inside inside(Activity::fault);
    const bool copying = !frame.from_user();
    if (copying && fault.address.value >= kernel::AddressSpace::user_end)
        kernel::panic("the kernel touched memory that is not there", frame);
    // The instruction made the processor reach for memory with the kernel's rights, as an IRETQ does in the
    // emulator: the page may well be there, and looking again would never end.
    if (frame.from_user() && !fault.user)
        fail_program(frame, exception_sentence(jobs::general_protection));
    if (fault.execute && frame.from_user() && goes_on_from_hidden_code(frame, fault))
        return;
    const Result<void> resolved = resolve(fault);
    if (resolved)
        return;
    if (frame.from_user())
        fail_access(frame, fault, resolved.error());
    if (!abandon_user_copy(frame))
        kernel::panic("the kernel touched user memory outside the user copy", frame);
}

void on_exception(TrapFrame& frame)
{
    const processor_time::Inside inside(Activity::exception);
    if (frame.from_user())
        fail_program(frame, exception_sentence(frame.vector));
    if (frame.vector == jobs::general_protection && abandon_user_copy(frame))
        return;
    kernel::panic(frame.vector == 8 ? "double fault: a kernel stack overflowed or is lost"
                                    : "exception in the kernel",
                  frame);
}

void on_timer(TrapFrame& frame)
{
    const processor_time::Inside inside(Activity::tick);
    const std::uint64_t late = take_tick();
    if (!sched::Dispatcher::here().idles()) // the emulator may leave out a processor that has nothing to do
        kernel::run_record().note_late_tick(late);
    ++sched::current().ticks;
    if (this_processor().id == kernel::processors().timekeeper())
        keep_time();
    kernel::TickHook* const hook = kernel::tick_hook();
    if (hook != nullptr)
        hook->tick(frame);
    if (slice_ended(hook, frame, sched::Dispatcher::here().take_decision_request()))
        give_way(frame);
    look_after_program(frame);
}

void on_device()
{
    const processor_time::Inside inside(Activity::tick);
    if (kernel::TickHook* const hook = kernel::tick_hook(); hook != nullptr)
        hook->interrupted();
}

void on_wakeup(TrapFrame& frame)
{
    const processor_time::Inside inside(Activity::cross_interrupt);
    if (sched::Dispatcher::here().take_decision_request())
        give_way(frame);
    look_after_program(frame);
}

} // namespace parley::arch

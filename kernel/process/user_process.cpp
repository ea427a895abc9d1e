// SPDX-License-Identifier: MIT
#include "kernel/process/user_process.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/text.hpp"
#include "kernel/boot/plant.hpp"
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/process/upcall.hpp"
#include "kernel/report/panic.hpp"

namespace parley::kernel {

void UserProcess::enter(messaging::MessageSystem& system_in_kernel)
{
    system_ = &system_in_kernel;
    messages_ = system_->calls_of(endpoint_);
    proxies_.add(ObjectClass::messages);
}

void UserProcess::make_proxies()
{
    for (const ObjectClass kind : {ObjectClass::results, ObjectClass::process, ObjectClass::job,
                                   ObjectClass::gangs, ObjectClass::semaphores})
        proxies_.add(kind);
}

void UserProcess::prepare()
{
    execution.floating_point = &registers_;
    arch::reset_floating_point(registers_);
    execution.address_space = domain_->table_root();
    execution.context = arch::new_context(execution.kernel_stack, &UserProcess::run, this);
}

void UserProcess::prepare_in_kernel(WorkInKernel work)
{
    work_ = work;
    execution.context = arch::new_context(execution.kernel_stack, &UserProcess::work, this);
}

void UserProcess::work(void* argument)
{
    auto& self = *static_cast<UserProcess*>(argument);
    sched::finish_switch();
    self.job().begun();
    if (self.work_(self))
        self.finish(Ending::exited, 0, "");
    self.end_killed();
}

void UserProcess::run(void* argument)
{
    auto& self = *static_cast<UserProcess*>(argument);
    sched::finish_switch();
    self.job().begun();
    self.live();
}

// A program's life from the first instruction. What is on the kernel's stack until here will never be needed
// again.
void UserProcess::live()
{
    linux_call_ = not_begun;
    if (!job_.cube().await_program(endpoint_)) {
        if (job_.cube().roster().runs(endpoint_))
            end_killed(); // before its first instruction
        job_.process_gone(*this);
        sched::Dispatcher::here().run_next();
        panic("an ended process was dispatched");
    }
    set_thread_pointer(0);
    arch::reset_floating_point(registers_);
    arch::load_floating_point(registers_);
    upcall_.start = upcall_.end = {};
    upcall_.code_hidden = false;
    linux_call_ = no_call;
    pending_work.set_interrupted(false);
    arch::enter_user(entry_.value, stack_pointer_.value);
}

void UserProcess::exit(int status)
{
    // Buffers that this process has lent must be copied before its memory goes.
    if (job_.drain(*this))
        finish(Ending::exited, status, "");
    end_killed();
}

void UserProcess::fail(std::string_view sentence)
{
    job_.complain(*this, sentence);
    constexpr int failed_status = 128;
    finish(Ending::failed, failed_status, sentence);
}

void UserProcess::end_killed(std::uint64_t instruction)
{
    if (!job_.cube().roster().removed(endpoint_))
        job_.tell_killed(*this, instruction);
    constexpr int killed_status = 137;
    finish(Ending::killed, killed_status, "ended with its job");
}

void UserProcess::finish(Ending ending, int status, std::string_view reason)
{
    end_departure(*this);
    occupation_->finish();
    plant_at_exit(configuration());
    const bool was_removed = job_.cube().roster().removed(endpoint_);
    job_.program_ended(*this, ending, was_removed ? 0 : status,
                       was_removed ? "ended by its own job" : reason);
    if (job_.cube().keeps(endpoint_))
        live();
    job_.process_gone(*this);
    sched::Dispatcher::here().run_next();
    panic("an ended process was dispatched");
}

void UserProcess::set_thread_pointer(std::uintptr_t value)
{
    execution.thread_pointer = value;
    arch::write_msr(arch::Msr::fs_base, value);
}

std::uint64_t UserProcess::nanoseconds() { return arch::nanoseconds(); }

Result<void> UserProcess::sleep_until(std::uint64_t nanoseconds)
{
    if (!timers().sleep_until(nanoseconds, pending_work))
        return std::unexpected(Error::killed);
    if (!pending_work.interrupted())
        return {};
    postpone_upcall(*this);
    return std::unexpected(Error::interrupted);
}

void UserProcess::yield()
{
    if (!shares_processor())
        arch::pause();
    sched::Dispatcher::here().preempt();
}

Result<void> UserProcess::preemption_point()
{
    kernel::preemption_point();
    if (pending_work.killed())
        return std::unexpected(Error::killed);
    return {};
}

int UserProcess::process_id() { return static_cast<int>(endpoint_) + 1; }

void UserProcess::note_unknown_call(long number) { job_.note_unknown_call(number); }

} // namespace parley::kernel

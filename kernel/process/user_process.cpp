// SPDX-License-Identifier: MIT
#include "kernel/process/user_process.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/processor_time_points.hpp"
#include "base/text.hpp"
#include "kernel/boot/plant.hpp"
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/process/upcall.hpp"
#include "kernel/process/user_thread.hpp"
#include "kernel/report/panic.hpp"
#include "kernel/user_copy.hpp"

#include "kernel/trace_points.hpp"

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
    if (domain_ != nullptr)
        execution.address_space = domain_->table_root();
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
    threads_.begin();
    word_at_end_ = {};
    set_thread_pointer(0);
    arch::clear_segments(0);
    arch::reset_floating_point(registers_);
    arch::load_floating_point(registers_);
    upcall_.start = upcall_.end = {};
    upcall_.code_hidden = upcall_.due_at_tick = false;
    linux_call_ = no_call;
    pending_work.set_interrupted(false);
    processor_time::becomes(Activity::user);
    arch::enter_user(entry_.value, stack_pointer_.value);
}

void UserProcess::exit(int status)
{
    // Buffers that this process has lent must be copied before its memory goes.
    if (job_.drain(*this))
        finish(Ending::exited, status, "");
    end_killed();
    __builtin_unreachable(); // compilers do not believe that a virtual function never returns
}

void UserProcess::fail(std::string_view sentence)
{
    job_.report_failure(*this, sentence);
    constexpr int failed_status = 128;
    end_failed(failed_status, sentence);
    __builtin_unreachable();
}

void UserProcess::end_failed(int status, std::string_view sentence)
{
    finish(Ending::failed, status, sentence);
}

void UserProcess::end_killed(std::uint64_t instruction)
{
    if (const auto verdict = threads_.verdict(); verdict && verdict->ending == Ending::exited)
        if (job_.takes_back_kill(*this))
            exit(verdict->status);
    if (!job_.cube().roster().removed(endpoint_))
        job_.tell_killed(*this, instruction);
    constexpr int killed_status = 137;
    finish(Ending::killed, killed_status, "ended with its job");
}

void UserProcess::finish(Ending ending, int status, std::string_view reason)
{
    threads_.end_others();
    if (const auto verdict = threads_.verdict();
        verdict && (verdict->ending == Ending::failed || ending != Ending::failed)) {
        ending = verdict->ending;
        status = verdict->status;
        reason = threads_.reason();
    }
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

// ---- threads

int UserProcess::thread_id() { return process_id() + static_cast<int>(number_) * thread_id_step; }

unsigned UserProcess::processors() { return kernel::processors().count(); }

std::uint64_t UserProcess::own_processors()
{
    return sched::Process::processors & (every_processor >> (PARLEY_MAX_PROCESSORS - processors()));
}

Result<void> UserProcess::run_on(std::uint64_t wanted)
{
    if ((wanted & (every_processor >> (PARLEY_MAX_PROCESSORS - processors()))) == 0)
        return std::unexpected(Error::not_found);
    if (queue != &kernel::thread_queue())
        return std::unexpected(Error::bad_argument);
    sched::Process::processors = wanted;
    sched::Dispatcher& here = sched::Dispatcher::here();
    if (!may_run_on(here.index()))
        here.preempt();
    return {};
}

Result<void> UserProcess::enter_program()
{
    if (!first_.threads_.enter())
        return std::unexpected(Error::killed);
    return {};
}

void UserProcess::tell_refused(std::string_view sentence) { job_.tell(*this, sentence); }

Result<int> UserProcess::start_thread(const ThreadStart& start)
{
    UserThread& thread = *TRY(first_.threads_.take());
    const int id = thread.thread_id();
    for (const UserAddress word : {start.makers_word, start.own_word}) {
        if (word.value != 0 && !write_user(word, id)) {
            first_.threads_.give_back(thread);
            return std::unexpected(Error::bad_buffer);
        }
    }
    have_threads();
    thread.begin(*this, start);
    first_.threads_.start(thread);
    return id;
}

void UserProcess::have_threads()
{
    domain_->set_shared_by_processes();
    show_code_to_threads(*this);
    if (shares_processor())
        return;
    // Its threads have no processor of their own, so it may have to give way to them.
    kind = sched::ProcessKind::application;
    sched::Dispatcher::here().keep_ticking();
}

void UserProcess::clear_word_at_end()
{
    if (word_at_end_.value == 0)
        return;
    constexpr std::uint32_t gone = 0;
    if (word_at_end_.value % sizeof gone == 0 && write_user(word_at_end_, gone))
        wake_word(word_at_end_, 1);
    word_at_end_ = {};
}

void UserProcess::exit_thread(int status)
{
    clear_word_at_end();
    word_wait_.fetch_add(1, std::memory_order_seq_cst);
    const bool alive = threads_.await_others();
    word_wait_.fetch_add(1, std::memory_order_seq_cst);
    if (!alive)
        end_killed();
    exit(status);
    __builtin_unreachable();
}

// The word is looked at under the lock of those that sleep on it. A fault there makes its page, which takes
// no lock that whoever holds it could wait under.
WordWait UserProcess::wait_on_word(UserAddress word, std::uint32_t expected,
                                   std::optional<std::uint64_t> until)
{
    if (!read_user<std::uint32_t>(word))
        return WordWait::bad_word;
    std::optional<TimerQueue::Alarm> alarm;
    if (until) {
        alarm.emplace(timers(), *until);
        if (alarm->rang())
            return read_user<std::uint32_t>(word) == expected ? WordWait::timed_out : WordWait::had_changed;
    }
    WordWait outcome = WordWait::woken;
    const bool for_ever = !until;
    // Pairs with look_at_word_again(): either that sees which word this is, or a handler that is due is seen
    // below.
    word_.store(word.value, std::memory_order_seq_cst);
    word_wait_.fetch_add(for_ever ? 1 : 0, std::memory_order_seq_cst);
    const bool alive = wait_table().block(key_of(word), [&] {
        const Result<std::uint32_t> now = read_user<std::uint32_t>(word);
        if (!now)
            outcome = WordWait::bad_word;
        else if (*now != expected)
            outcome = WordWait::had_changed;
        return outcome == WordWait::woken && !handler_is_due();
    });
    word_wait_.fetch_add(for_ever ? 1 : 0, std::memory_order_seq_cst);
    word_.store(0, std::memory_order_seq_cst);
    if (!alive)
        return WordWait::killed;
    // A wake that others count on is not hidden: it comes after the word was changed.
    if (outcome == WordWait::woken && handler_is_due() && read_user<std::uint32_t>(word) == expected) {
        postpone_upcall(*this);
        return WordWait::interrupted;
    }
    if (outcome == WordWait::woken && alarm && alarm->rang())
        return WordWait::timed_out;
    return outcome;
}

void UserProcess::look_at_word_again()
{
    if (const std::uintptr_t word = word_.load(std::memory_order_seq_cst); word != 0)
        wait_table().wake(key_of({word}), ProgramThreads::most + 1);
}

unsigned UserProcess::wake_word(UserAddress word, unsigned count)
{
    return wait_table().wake(key_of(word), count);
}

} // namespace parley::kernel

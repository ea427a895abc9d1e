// SPDX-License-Identifier: MIT
#include "kernel/process/user_thread.hpp"

#include "base/processor_time_points.hpp"
#include "base/text.hpp"
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/occupation/program_thread.hpp"
#include "kernel/process/occupation/programs.hpp"
#include "kernel/report/panic.hpp"

#include "kernel/trace_points.hpp"

namespace parley::kernel {

void UserThread::begin(const UserProcess& maker, const ThreadStart& start)
{
    live_in(*maker.domain(), maker.domain_slot());
    static_cast<ProgramThread&>(occupation())
        .work_for(static_cast<Programs&>(first().occupation()).program(), *this);
    name = "thread";
    kind = sched::ProcessKind::application;
    queue = first().gang == nullptr ? first().queue : &kernel::thread_queue();
    sched::Process::processors = maker.sched::Process::processors;
    set_word_at_end(start.word_at_end);
    begins_behind_ = arch::call_frame(maker.execution.kernel_stack);
    begins_behind_.stack = start.stack_pointer.value;
    end_linux_call();
    prepare();
    arch::save_floating_point(registers()); // its maker's, for the kernel itself uses none
    execution.thread_pointer =
        start.thread_pointer ? start.thread_pointer->value : maker.execution.thread_pointer;
    execution.context = arch::new_context(execution.kernel_stack, &UserThread::run, this);
}

void UserThread::run(void* argument)
{
    auto& self = *static_cast<UserThread*>(argument);
    sched::finish_switch();
    if (self.pending_work.killed())
        self.end();
    arch::clear_segments(self.execution.thread_pointer);
    processor_time::becomes(Activity::user);
    arch::enter_call(&self.begins_behind_);
}

void UserThread::exit(int status) { end_program({Ending::exited, status}, ""); }

void UserThread::exit_thread(int)
{
    clear_word_at_end();
    end();
}

void UserThread::end_killed(std::uint64_t) { end(); }

void UserThread::note_refused_call()
{
    fail("made a call of NX/2 in a thread, and only its first thread may");
}

void UserThread::write_thread(TextWriter& line) const { line << ", thread " << number(); }

void UserThread::end_failed(int status, std::string_view sentence)
{
    end_program({Ending::failed, status}, sentence);
}

void UserThread::end_program(ProgramThreads::Verdict verdict, std::string_view reason)
{
    first().threads().decide(verdict, reason);
    job().stop(first());
    end();
}

void UserThread::end()
{
    trace::process_ended(*this);
    first().threads().gone(*this);
    sched::Dispatcher::here().run_next();
    panic("an ended thread was dispatched");
}

} // namespace parley::kernel

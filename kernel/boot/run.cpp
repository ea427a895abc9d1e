// SPDX-License-Identifier: MIT
// The kernel's main process: runs the jobs one after the other, reports each, ends the run.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "base/text.hpp"
#include "kernel/accounting_points.hpp"
#include "kernel/boot/plant.hpp"
#include "kernel/boot/steps.hpp"
#include "kernel/job/job.hpp"
#include "kernel/job/unreceived.hpp"
#include "kernel/network/machines.hpp"
#include "kernel/process/proxy_calls.hpp"
#include "kernel/report/console.hpp"
#include "kernel/report/dispatch.hpp"
#include "kernel/report/panic.hpp"
#include "kernel/trace_points.hpp"

namespace parley::kernel {

namespace {

// Jobs in their places, and why those that cannot run do not.
alignas(Job) std::byte job_memory[RunningJobs::most][sizeof(Job)];
char reasons[RunningJobs::most][256];

void send_plan(Kernel& kernel)
{
    const Configuration& wanted = kernel.configuration;
    Text<768> text;
    text << "version=1\nprocessors=" << kernel.processors.count()
         << "\nmachine_processors=" << kernel.machine.processors
         << "\nclock=" << (wanted.clock == Clock::free ? "free" : "counted")
         << "\ntraced=" << (trace::on ? 1 : 0) << "\naccounted=" << (accounting::on ? 1 : 0)
         << "\nchecks=" << (wanted.checks == Checks::full ? "full" : "reduced")
         << "\ndispatch=" << dispatch_name() << "\nmemory=" << kernel.memory.free_for_jobs() * page_bytes
         << "\npause=" << (arch::pause_wanted ? 1 : 0)
         << "\nservice_processor=" << (kernel.processors.has_service_processor() ? 1 : 0)
         << "\nloader=" << kernel.boot.loader << "\nclock_hertz=" << arch::clock_hertz()
         << "\njobs=" << wanted.job_count << '\n';
    if (kernel.hooks.report != nullptr)
        kernel.hooks.report->add_to_plan(text);
    kernel.record.results().send(PARLEY_FRAME_PLAN, text.view());
}

void send_job(Kernel& kernel, const Job& job)
{
    const JobConfiguration& wanted = job.configuration();
    Text<1024> text;
    text << "job=" << job.number() << "\nname=" << wanted.name
         << "\ndesign=" << messaging::canonical(job.design()).text()
         << "\nrow=" << messaging::preset_name(job.design()) << "\napp=" << wanted.app
         << "\nnodes=" << wanted.nodes << "\npids=" << wanted.pids << "\nhost=" << (wanted.host ? 1 : 0)
         << "\nschedule=" << job.schedule_name() << "\nlocation=" << job.design().location.name
         << "\nsemaphore=" << job.semaphore().text() << '\n';
    if (const std::uint64_t cost = trace::record_picoseconds(); cost != 0)
        text << "record_picoseconds=" << cost << "\nendpoints=" << job.processes().endpoints() << '\n';
    kernel.record.results().send(PARLEY_FRAME_JOB, text.view());
}

void send_job_end(Kernel& kernel, const Job& job, std::size_t frames_leaked, std::string_view reason)
{
    Text<5120> text; // a hook may add 4 KiB
    text << "job=" << job.number() << "\nstatus=" << name_of(job.status())
         << "\nframes_leaked=" << frames_leaked << "\nobjects_leaked=" << job.objects_leaked()
         << "\nlatest_tick_ns=" << kernel.record.take_latest_tick() << "\nreason=" << reason
         << "\nunknown_calls=";
    job.unknown_calls().for_each([&](long number) { text << number << ' '; });
    text << '\n';
    if (kernel.hooks.report != nullptr)
        kernel.hooks.report->add_to_job_end(text);
    kernel.record.results().send(PARLEY_FRAME_JOB_END, text.view());
}

void banner(const Job& job)
{
    Text<512> text;
    text << "job " << job.configuration().name << ": " << job.configuration().app << " on "
         << job.configuration().nodes << (job.configuration().nodes == 1 ? " node, " : " nodes, ")
         << messaging::canonical(job.design()).text() << '\n';
    if (const std::string_view caution = job.caution(); !caution.empty())
        text << "  " << caution << '\n';
    console().write(text.view());
}

Job& job_in(unsigned slot) { return *std::launder(reinterpret_cast<Job*>(job_memory[slot])); }

std::size_t memory_of(const Kernel& kernel) { return kernel.memory.free_for_jobs() * page_bytes; }

// Start a job, or say why it cannot run. What is said of the job comes before anything that it says itself.
// The reason is kept: the sentence may lie in the job's own memory.
void begin_job(Kernel& kernel, unsigned number, unsigned slot, Share share)
{
    Job& job = *::new (job_memory[slot]) Job(kernel, number, slot, kernel.configuration.jobs[number], share);
    const Loaded<void> built = job.build();
    send_job(kernel, job);
    reasons[slot][0] = 0;
    if (built) {
        banner(job);
        accounting::job_begins(kernel, job);
        return job.start();
    }
    Text<400> line;
    line << "parley: job " << job.configuration().name << " cannot run: " << built.error().sentence << '\n';
    console().write(line.view());
    const std::size_t length = built.error().sentence.copy(reasons[slot], sizeof reasons[slot] - 1);
    reasons[slot][length] = 0;
}

// True when the job ended well.
bool finish_job(Kernel& kernel, unsigned slot)
{
    Job& job = job_in(slot);
    if (job.status() != JobStatus::refused) {
        job.wait();
        accounting::job_ended(kernel, job);
        send_unreceived(kernel.record.results(), job);
        job.send_files();
        trace::job_ended(kernel, job);
    }
    const std::size_t held = job.release();
    send_job_end(kernel, job, held, reasons[slot]);
    return job.status() == JobStatus::ok;
}

unsigned run_one_by_one(Kernel& kernel)
{
    unsigned failed = 0;
    for (unsigned number = 0; number < kernel.configuration.job_count; ++number) {
        Share share;
        share_memory(kernel.configuration.all_jobs().subspan(number, 1), memory_of(kernel), {&share, 1});
        begin_job(kernel, number, 0, share);
        failed += finish_job(kernel, 0) ? 0 : 1;
    }
    return failed;
}

// The jobs in these places, in the order in which they end; how many have failed.
unsigned finish_as_they_end(Kernel& kernel, unsigned count)
{
    bool finished[RunningJobs::most] = {};
    unsigned failed = 0;
    for (unsigned done = 0; done < count; ++done) {
        unsigned slot = 0;
        kernel.jobs.ends().await([&] {
            for (slot = 0; slot < count && (finished[slot] || !job_in(slot).has_ended());)
                ++slot;
            return slot < count;
        });
        finished[slot] = true;
        failed += finish_job(kernel, slot) ? 0 : 1;
    }
    return failed;
}

// As many at a time as there are places.
unsigned run_together(Kernel& kernel)
{
    unsigned failed = 0;
    for (unsigned first = 0; first < kernel.configuration.job_count; first += RunningJobs::most) {
        const unsigned rest = static_cast<unsigned>(kernel.configuration.job_count) - first;
        const unsigned count = rest < RunningJobs::most ? rest : RunningJobs::most;
        Share shares[RunningJobs::most];
        share_memory(kernel.configuration.all_jobs().subspan(first, count), memory_of(kernel), shares);
        for (unsigned slot = 0; slot < count; ++slot)
            begin_job(kernel, first + slot, slot, shares[slot]);
        failed += finish_as_they_end(kernel, count);
    }
    return failed;
}

// Whatever the jobs held is back: the machine is as it was before the first.
void check_frames(Kernel& kernel)
{
    const std::size_t now = kernel.memory.frames().free_frames();
    if (now == kernel.memory.free_for_jobs())
        return;
    Text<120> text;
    text << "after all jobs " << now << " frames are free, before them " << kernel.memory.free_for_jobs();
    panic(text.view());
}

void main_process(void* argument)
{
    sched::finish_switch();
    Kernel& kernel = *static_cast<Kernel*>(argument);
    send_plan(kernel);
    plant_before_jobs(kernel);
    const bool together = kernel.configuration.job_order == JobOrder::together;
    const unsigned failed = together ? run_together(kernel) : run_one_by_one(kernel);
    check_frames(kernel);
    trace::run_ended(kernel);
    plant_after_jobs(kernel);
    Text<128> text;
    text << "jobs=" << kernel.configuration.job_count << "\nfailed=" << failed
         << "\nrows=" << kernel.record.rows() << '\n';
    kernel.record.results().send(PARLEY_FRAME_END, text.view());
    leave_machines(kernel);
    plant_at_end(kernel);
    end_run(failed == 0 ? PARLEY_EXIT_SUCCESS : PARLEY_EXIT_FAILED);
}

} // namespace

void run_request(Kernel& kernel)
{
    open_call_entry(kernel.configuration.checks == Checks::full ? ProxyChecks::full : ProxyChecks::reduced);
    static constinit sched::Process main;
    const Result<std::uint64_t> stack = kernel.memory.own_window().stack(arch::kernel_stack_bytes);
    require(stack.has_value(), "there is no memory for the main process");
    main.name = "main";
    main.execution.kernel_stack = *stack;
    main.kind = sched::ProcessKind::system;
    main.queue = &kernel.queues.scheduler();
    if (kernel.processors.has_service_processor())
        main.queue = &kernel.queues.service();
    main.execution.context = arch::new_context(*stack, main_process, &kernel);
    require(trace::make_room(kernel), "there is too little memory for the trace");
    kernel.memory.note_free_frames();
    sched::make_ready(main);
    kernel.processors.dispatcher(arch::this_processor().id).idle();
}

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
#include "kernel/job/job.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/tlb.hpp"
#include "base/text.hpp"
#include "jobs/fault_description.hpp"
#include "kernel/job/job_builder.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/process/occupation/program_thread.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/process/user_thread.hpp"
#include "kernel/program/personality.hpp"
#include "kernel/report/console.hpp"
#include "kernel/trace_points.hpp"

namespace parley::kernel {

namespace {

constexpr std::uint64_t second = 1'000'000'000;

// Windows 1 and up belong to jobs.
unsigned window_index(unsigned slot) { return 1 + slot; }

} // namespace

std::string_view name_of(JobStatus status)
{
    switch (status) {
    case JobStatus::ok: return "ok";
    case JobStatus::failed: return "failed";
    case JobStatus::deadlock: return "deadlock";
    case JobStatus::limit: return "limit";
    case JobStatus::refused: return "refused";
    }
    return "unknown";
}

Job::Job(Kernel& kernel, unsigned number, unsigned slot, const JobConfiguration& configuration, Share share)
    : kernel_(kernel), number_(number), slot_(slot), configuration_(configuration),
      memory_(kernel.memory.frames(), share, window_index(slot))
{
    kernel.memory.open(window_index(slot), memory_.window());
}

Loaded<void> Job::build()
{
    Loaded<void> built = make_parts();
    if (built)
        return built;
    status_.store(JobStatus::refused, std::memory_order_relaxed);
    tell_others();
    return built;
}

Loaded<void> Job::make_parts()
{
    const JobBuilder builder(kernel_, *this, memory_);
    TRY_VOID(builder.check_share());
    TRY_VOID(choices_.read(configuration_,
                           {.nodes = configuration_.programs(),
                            .processors = kernel_.processors.count(),
                            .machines = kernel_.configuration.machines.number},
                           memory_.window()));
    factors_ = TRY(JobFactors::create(memory_.window(), choices_.design(), configuration_));
    kinds_ = TRY(builder.make_semaphore_kinds(choices_, *factors_));
    network_ = TRY(builder.make_network(*factors_, *kinds_));
    schedule_ = TRY(builder.make_schedule(*factors_, *kinds_));
    programs_ = TRY(builder.make_programs());
    TRY_VOID(builder.fill_memory(*factors_, *kinds_));
    processes_ = TRY(builder.make_processes(*factors_, *kinds_, *schedule_));
    TRY_VOID(explain(kinds_->pages().know(memory_.window(), processes_), too_little_memory));
    cube_.emplace(*TRY(builder.make_roster(processes_.size())), machinery_, kernel_.waits);
    messages_ = TRY(builder.make_messages(*factors_));
    waits_.watch(*messages_, TRY(builder.make_watch_words(*factors_)), configuration_.name);
    waits_.know(cube_->roster(), processes_.with_programs());
    start_info_.emplace(configuration_, *factors_, memory_, choices_.semaphore(), cube_->roster(),
                        kernel_.processors.count(), kernel_.configuration.clusters);
    return builder.occupy(processes_, *factors_, *messages_, *programs_, *start_info_);
}

Loaded<void> Job::load(UserProcess& process, std::span<const std::byte> program, std::string_view name,
                       std::string_view rest)
{
    return programs_->load(process, start_info_->of(process), program, name, rest);
}

void Job::start()
{
    live_.store(static_cast<unsigned>(processes_.count_here()), std::memory_order_relaxed);
    for (UserProcess* const process : processes_) {
        process->occupation().prepare(*process);
        if (process->has_program())
            cube_->begin(process->endpoint());
    }
    // Programs of other machines run from here on, too, until it is told how they end.
    for (unsigned endpoint = 0; endpoint < processes_.programs(); ++endpoint)
        if (is_elsewhere(endpoint))
            cube_->begin(endpoint);
    // Only now, for the monitor leaves out processes that have no program yet.
    kernel_.jobs.begin(slot_, *this);
    schedule_->begin(processes_);
}

void Job::wait()
{
    kernel_.jobs.ends().await([this] { return has_ended(); });
    kernel_.jobs.end(slot_);
    // Each process has left its stack for good once its processor has switched away from it.
    for (const UserProcess* const process : processes_) {
        while (process->on_processor.load(std::memory_order_acquire))
            give_way_once();
    }
    schedule_->leave_processors();
}

bool Job::drain(UserProcess& process) { return messages_->drain(process.endpoint()).has_value(); }

bool Job::is_host(const UserProcess& process) const
{
    return configuration_.host && process.node() == static_cast<int>(configuration_.nodes);
}

void Job::begin_line(TextWriter& line, const UserProcess& process) const
{
    line << "parley: job " << configuration_.name;
    if (is_host(process))
        line << ", the host";
    else
        line << ", node " << process.node();
    if (const int pid = cube_->roster().pid_of(process.endpoint()); pid != 0 && !is_host(process))
        line << ", process " << pid;
    process.write_thread(line);
    line << ": ";
}

void Job::report_failure(const UserProcess& process, std::string_view sentence)
{
    Text<320> line;
    begin_line(line, process);
    line << "the program " << sentence << "; its job ends\n";
    console().write(line.view());
}

void Job::tell_killed(const UserProcess& process, std::uint64_t instruction)
{
    if (!waits_.leaves_telling(process))
        return;
    Text<320> line;
    begin_line(line, process);
    if (instruction != 0)
        jobs::describe_computing(line, instruction);
    else if (process.linux_call() == UserProcess::not_begun)
        line << "had not begun";
    else if (const std::string_view call = linux_call_name(process.linux_call()); !call.empty())
        jobs::describe_linux_call(line, call);
    else
        line << "was in an NX/2 call";
    line << '\n';
    console().write(line.view());
}

void Job::program_ended(UserProcess& process, Ending ending, int status, std::string_view reason)
{
    Text<400> text;
    text << "job=" << number_ << "\nnode=" << process.node()
         << "\npid=" << cube_->roster().pid_of(process.endpoint()) << "\nstatus=" << status
         << "\nswitches=" << process.switches << "\nticks=" << process.ticks
         << "\ninterrupted_ns=" << process.interrupted_nanoseconds << "\nreason=" << reason << '\n';
    if (runs_programs(process))
        kernel_.record.results().send(PARLEY_FRAME_PROCESS, text.view());
    release_endpoint(process, ending);
    if (ending == Ending::failed)
        end(JobStatus::failed);
    JobStatus expected = JobStatus::ok;
    if (status != 0)
        status_.compare_exchange_strong(expected, JobStatus::failed, std::memory_order_relaxed);
    if (cube_->keeps(process.endpoint()))
        clear_domain(process);
    const bool was_killed = cube_->roster().removed(process.endpoint());
    cube_->leave(process.endpoint(), status);
    if (network_ != nullptr && runs_programs(process))
        network_->tell({ProgramNotices::What::end, process.endpoint(), status, was_killed});
}

void Job::release_endpoint(UserProcess& process, Ending ending)
{
    if (process.endpoint() >= processes_.endpoints())
        return; // it has none
    const jobs::Roster& roster = cube_->roster();
    if (roster.removed(process.endpoint()) && roster.successor_receives(process.endpoint()) &&
        cube_->keeps(process.endpoint()))
        return messages_->reset(process.endpoint(), messaging::Waiting::kept);
    messages_->close(process.endpoint(), ending == Ending::exited ? messaging::EndpointState::ended
                                                                  : messaging::EndpointState::killed);
}

void Job::process_gone(UserProcess& process)
{
    if (cube_->keeps(process.endpoint()))
        messages_->close(process.endpoint(), messaging::EndpointState::ended);
    if (runs_programs(process)) {
        kinds_->program_gone();
        if (network_ != nullptr)
            network_->program_gone();
    }
    if (process.endpoint() < processes_.endpoints())
        kinds_->endpoint_gone();
    trace::process_ended(process);
    if (process.gang != nullptr)
        kernel_.queues.scheduler().member_ended(*process.gang);
    process.note_ended();
    // Release: everything this process did is done when the waiter sees zero. The job stays until this
    // process has left its processor.
    if (live_.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (!ending_.load(std::memory_order_relaxed))
        end(JobStatus::ok);
    kernel_.jobs.ends().tell();
}

messaging::FixedString Job::semaphore() const
{
    const messaging::LeafChoice& kind = choices_.semaphore();
    return kind.name.empty() ? messaging::FixedString{} : messaging::canonical_semaphore(kind);
}

void Job::clear_domain(UserProcess& process)
{
    factors_->residency().clear(*process.domain(), process.domain_slot());
}

std::string_view Job::caution() const
{
    const std::string_view of_location = factors_->system_home().caution();
    return of_location.empty() ? factors_->residency().caution() : of_location;
}

void Job::stop(UserProcess& process)
{
    stop_one(process);
    process.threads().stop();
}

void Job::stop_one(sched::Process& process)
{
    // Pairs with the sleeper's look at `killed` (sched/wait_table.cpp).
    process.pending_work.set_killed(true);
    kernel_.waits.interrupt(process);
    kernel_.processors.wake_where_it_runs(process);
}

void Job::end(JobStatus status)
{
    JobStatus expected = JobStatus::ok;
    status_.compare_exchange_strong(expected, status, std::memory_order_relaxed);
    if (status != JobStatus::ok)
        tell_others();
    if (!has_ended())
        stop_all();
}

// That the job has not ended well here ends it on the other machines.
void Job::tell_others()
{
    if (kernel_.machines != nullptr)
        kernel_.machines->tell_end(number_, static_cast<unsigned>(this->status()) + 1);
}

void Job::stop_all()
{
    std::uint64_t never = 0;
    told_to_end_.compare_exchange_strong(never, arch::nanoseconds(), std::memory_order_relaxed);
    ending_.store(true, std::memory_order_seq_cst);
    for (UserProcess* const process : processes_)
        stop(*process);
    schedule_->withdraw(processes_);
}

bool Job::takes_back_kill(UserProcess& process)
{
    if (cube_->roster().removed(process.endpoint()))
        return false;
    process.pending_work.set_killed(false);
    // As in end_program(): whoever ends the job says so and kills then.
    if (!ending_.load(std::memory_order_seq_cst))
        return true;
    process.pending_work.set_killed(true);
    return false;
}

Result<UserThread*> Job::make_thread(UserProcess& first, unsigned number)
{
    Window& window = memory_.window();
    UserThread& thread = *TRY(window.create<UserThread>(first, number));
    thread.take_up(*TRY(window.create<ProgramThread>()));
    thread.execution.kernel_stack = TRY(window.stack(arch::kernel_stack_bytes));
    // Behind all processes of the job: so many there can be.
    thread.label =
        (number_ + 1) << 16 | (PARLEY_MAX_PROCESSES + threads_.fetch_add(1) % PARLEY_MAX_PROCESSES);
    return &thread;
}

void Job::tell(const UserProcess& process, std::string_view sentence)
{
    constexpr unsigned most = 8;
    if (told_.fetch_add(1, std::memory_order_relaxed) >= most)
        return;
    Text<320> line;
    begin_line(line, process);
    line << "the program " << sentence << '\n';
    console().write(line.view());
}

void Job::begun()
{
    std::uint64_t never = 0;
    if (began_.load(std::memory_order_relaxed) == never)
        began_.compare_exchange_strong(never, arch::nanoseconds(), std::memory_order_relaxed);
}

std::uint64_t Job::overdue(std::uint64_t now) const
{
    const std::uint64_t told = told_to_end_.load(std::memory_order_relaxed);
    return told != 0 && now > told ? now - told : 0;
}

void Job::look_after(std::uint64_t now)
{
    // A job that has failed may still run: a program has ended badly, and others wait for it. One that has
    // ended may stay for a while, where another of those that run together is just being taken out.
    if (ending_.load(std::memory_order_relaxed) || has_ended())
        return;
    const std::uint64_t began = began_.load(std::memory_order_relaxed);
    const std::uint64_t limit = configuration_.limit_seconds * second;
    // Another processor may have begun after our look at the clock: then nothing has passed yet.
    if (limit != 0 && began != 0 && now > began && now - began > limit) {
        Text<160> line;
        line << "parley: job " << configuration_.name << " has reached its limit of "
             << configuration_.limit_seconds << " s and ends; its processes were doing:\n";
        console().write(line.view());
        waits_.report_limit(now);
        return end(JobStatus::limit);
    }
    waits_.observe(now);
    if (network_ != nullptr)
        network_->look_after(now);
    else if (waits_.nobody_can_go_on())
        end(JobStatus::deadlock);
}

void Job::send_files()
{
    const std::uint64_t limit = configuration_.limit_seconds * second;
    const std::uint64_t end = limit == 0 ? ~std::uint64_t{0} : arch::nanoseconds() + limit;
    for (File* file = programs_->files().next_changed(nullptr); file != nullptr;
         file = programs_->files().next_changed(file)) {
        if (send_file(*file, end))
            continue;
        Text<480> line;
        line << "parley: job " << configuration_.name << ": sending its files takes longer than its limit of "
             << configuration_.limit_seconds << " s: " << FileStore::path(*file)
             << " and what follows is not kept; raise LIMIT= or write less\n";
        console().write(line.view());
        JobStatus expected = JobStatus::ok;
        status_.compare_exchange_strong(expected, JobStatus::limit, std::memory_order_relaxed);
        return;
    }
}

// A frame for the start, one for each piece that is stored, and one for the end: holes stay holes.
bool Job::send_file(File& file, std::uint64_t end)
{
    constexpr std::size_t piece_bytes = 1024;
    std::byte piece[piece_bytes];
    const std::string_view path = FileStore::path(file);
    const std::uint64_t bytes = programs_->files().status(file).bytes;
    const auto send = [&](std::uint64_t offset, std::size_t count) {
        const std::uint32_t head[2] = {number_, static_cast<std::uint32_t>(path.size())};
        const std::uint64_t size_and_offset[2] = {bytes, offset};
        kernel_.record.results().send(PARLEY_FRAME_FILE,
                                      {bytes_of(head), bytes_of(size_and_offset), bytes_of(path),
                                       ResultsChannel::Bytes(piece).first(count)});
        preemption_point();
    };
    std::uint64_t sent = 0;
    for (std::uint64_t at = programs_->files().next_stored(file, 0); at < bytes;
         at = programs_->files().next_stored(file, sent)) {
        if (arch::nanoseconds() > end)
            return false;
        if (sent == 0 && at != 0)
            send(0, 0);
        const std::size_t count = programs_->files().read(file, at, piece);
        send(at, count);
        sent = at + count;
    }
    if (sent == 0 && bytes != 0)
        send(0, 0);
    if (sent < bytes || bytes == 0)
        send(bytes, 0);
    return true;
}

std::size_t Job::release()
{
    if (messages_ != nullptr)
        objects_leaked_ = messages_->leaks();
    memory_.release();
    kernel_.memory.close(window_index(slot_));
    arch::shoot_down_translations();
    return memory_.frames().held();
}

} // namespace parley::kernel

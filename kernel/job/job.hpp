// SPDX-License-Identifier: MIT
// A job: some nodes of one program under one message-system design, and everything the kernel holds for
// them. All of it lives in the job's window and is charged to the job's owner, so that after the job free
// frames are exactly what they were.
#pragma once

#include "base/text.hpp"
#include "kernel/job/job_choices.hpp"
#include "kernel/job/job_factors.hpp"
#include "kernel/job/job_machinery.hpp"
#include "kernel/job/job_memory.hpp"
#include "kernel/job/job_processes.hpp"
#include "kernel/job/job_programs.hpp"
#include "kernel/job/job_schedule.hpp"
#include "kernel/job/semaphore_kinds.hpp"
#include "kernel/job/start_info.hpp"
#include "kernel/job/unknown_calls.hpp"
#include "kernel/job/wait_monitor.hpp"
#include "kernel/kernel.hpp"
#include "kernel/network/job_network.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/program/failure.hpp"
#include "messaging/composition.hpp"

#include <optional>

namespace parley::kernel {

class UserThread;

// How a job ended.
enum class JobStatus : std::uint8_t { ok, failed, deadlock, limit, refused };
std::string_view name_of(JobStatus status);

class Job {
public:
    // `slot`: which of the kernel's places for running jobs it has. A share that does not fit refuses it.
    Job(Kernel& kernel, unsigned number, unsigned slot, const JobConfiguration& configuration, Share share);
    Job(const Job&) = delete;

    // Makes everything. After a failure the job must not be started; release() is still due.
    Loaded<void> build();
    // Makes a program for the place of a process in a job that runs already: its name, and in `rest` its
    // arguments, each behind a zero.
    Loaded<void> load(UserProcess& process, std::span<const std::byte> program, std::string_view name,
                      std::string_view rest);
    // Queues the processes: from now on they run.
    void start();
    // All its processes have ended; some may still be on their processors.
    bool has_ended() const { return live_.load(std::memory_order_acquire) == 0; }
    // Returns when all processes have ended and no processor uses anything of the job's.
    void wait();
    // Sends the files that have changed, until the job's limit comes; names those that are left then.
    void send_files();
    // Gives everything back. Answers how many frames are missing, which should be 0.
    std::size_t release();

    // Called by the job's processes.
    bool drain(UserProcess& process);
    bool is_host(const UserProcess& process) const;
    // Says on the console what its program did, and that the job ends.
    void report_failure(const UserProcess& process, std::string_view sentence);
    // The process's program has ended: reports it, and releases what the program held.
    void program_ended(UserProcess& process, Ending ending, int status, std::string_view reason);
    // The process ends because it was killed: tells what it was doing, if the job's limit has come
    // (wait_monitor.hpp). `instruction`: where its program was; 0: it was in a call.
    void tell_killed(const UserProcess& process, std::uint64_t instruction);
    // The process runs no program and never will again.
    void process_gone(UserProcess& process);
    // Sends one file; false when `end`, in nanoseconds since boot, came first.
    bool send_file(File& file, std::uint64_t end);
    // Removes from the process's domain what its program had there, for another program.
    void clear_domain(UserProcess& process);
    // Makes a thread of the process's programs, for ProgramThreads. Errors: no_memory.
    Result<UserThread*> make_thread(UserProcess& first, unsigned number);
    // Takes back that the process is to end, unless the job ends or has itself asked for that. False: it has.
    bool takes_back_kill(UserProcess& process);
    // Says a sentence about the process's program; a job's first few are said.
    void tell(const UserProcess& process, std::string_view sentence);
    void note_unknown_call(long number) { unknown_calls_.add(number); }

    // How the job is scheduled, for the record.
    std::string_view schedule_name() const { return schedule_ ? schedule_->name() : SchedulePlan{}.name(); }

    // Called by each process before its first instruction. The time limit begins with the first of them, so
    // the time for which a job waits in a queue does not count.
    void begun();
    // Called by the tick: the time limit, and whether no process can ever go on.
    void look_after(std::uint64_t now);
    // For the helper of a job on several machines: as the methods of WaitMonitor.
    jobs::Look look_at_programs() const { return waits_.look_at_programs(); }
    void report_deadlock(bool head) { waits_.report_deadlock(head); }
    // For how many nanoseconds its processes have been told to end; 0: they have not.
    std::uint64_t overdue(std::uint64_t now) const;
    // The job ends, with this status unless it has another already: all processes that are left are stopped.
    // Every job comes here, also one whose last process has ended by itself: a debugger can stop here.
    void end(JobStatus status);
    // Has one process end as soon as it can, with the threads of its program.
    void stop(UserProcess& process);
    // As stop(), for a process without threads or one thread.
    void stop_one(sched::Process& process);
    // Becomes true before the job's processes are killed.
    const Atomic<bool>& ends() const { return ending_; }
    JobStatus status() const { return status_.load(std::memory_order_relaxed); }
    unsigned number() const { return number_; }
    const messaging::Design& design() const { return choices_.design(); }
    // The kind of the job's semaphores; empty, where the job was refused for that.
    messaging::FixedString semaphore() const;
    // The archive of the programs that the job may load.
    const Archive& archive() const { return kernel_.archive; }
    const JobConfiguration& configuration() const { return configuration_; }
    // What follows is asked only of a job that was built.
    Cube& cube() { return *cube_; }
    // Null: all its processes run on this machine.
    JobNetwork* network() { return network_; }
    // Whether the process of that endpoint runs on another machine.
    bool is_elsewhere(unsigned endpoint) const
    {
        return network_ != nullptr && endpoint < configuration_.programs() && network_->is_away(endpoint);
    }
    unsigned programs_elsewhere() const
    {
        return network_ == nullptr ? 0 : configuration_.programs() - network_->programs_here();
    }
    JobMessageSystem& messages() { return *messages_; }
    JobSemaphores& semaphores() { return kinds_->semaphores(); }
    // Null: its processes do not wait by semaphores for what its message system has them wait for.
    JobWordWaits* word_waits() { return kinds_->word_waits(); }
    const SystemHome& system_home() const { return factors_->system_home(); }
    // What its user should know before it starts, or nothing.
    std::string_view caution() const;
    // The list is complete; policy processes come after those with endpoints.
    const JobProcesses& processes() const { return processes_; }
    // Does the work of the policy process of that number, until nobody needs it any more or the process must
    // end.
    void run_policy_process(unsigned number) { kinds_->run_policy_process(number); }
    bool runs_programs(const UserProcess& process) const
    {
        return process.endpoint() < processes_.programs();
    }
    SharedRegion* shared() { return memory_.region(); }
    const UnknownCalls& unknown_calls() const { return unknown_calls_; }
    std::size_t objects_leaked() const { return objects_leaked_; }

private:
    Loaded<void> make_parts();
    // "parley: job <name>, node <n>, process <pid>: "
    void begin_line(TextWriter& line, const UserProcess& process) const;
    void leave_processors();
    void release_endpoint(UserProcess& process, Ending ending);
    void stop_all();
    void tell_others();

    Kernel& kernel_;
    const unsigned number_;
    const unsigned slot_;
    const JobConfiguration& configuration_;
    JobMemory memory_; // all the other parts lie in it
    // The parts, as JobBuilder has made them: of a job that is refused there are only the first.
    JobChoices choices_;
    std::optional<JobFactors> factors_;
    std::optional<SemaphoreKinds> kinds_;
    JobNetwork* network_ = nullptr;
    std::optional<JobSchedule> schedule_;
    JobPrograms* programs_ = nullptr;
    JobProcesses processes_;
    JobMessageSystem* messages_ = nullptr;
    JobMachinery machinery_{*this};
    std::optional<Cube> cube_;
    std::optional<StartInfo> start_info_;
    WaitMonitor waits_;
    UnknownCalls unknown_calls_;
    std::atomic<std::uint64_t> began_{0};       // when its first process began, in nanoseconds; 0: none has
    std::atomic<unsigned> live_{0};             // processes that have not ended
    Atomic<bool> ending_{false};                // all processes are to end
    std::atomic<std::uint64_t> told_to_end_{0}; // when, in nanoseconds; 0: not yet
    std::atomic<JobStatus> status_{JobStatus::ok};
    std::atomic<unsigned> threads_{0}; // that were made
    std::atomic<unsigned> told_{0};    // by tell()
    std::size_t objects_leaked_ = 0;
};

} // namespace parley::kernel

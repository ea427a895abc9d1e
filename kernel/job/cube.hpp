// SPDX-License-Identifier: MIT
// The programs of a job's processes: the kernel's side of load, waitall and killcube. What they mean is the
// roster's to say (jobs/roster.hpp); processes sleep and are woken here, and what else becomes of programs
// the job's machinery does. In a job with a host only the host has a program from the start; the others wait
// for theirs, and for the next when it has ended, until no program of the job runs.
#pragma once

#include "jobs/loading.hpp"
#include "jobs/roster.hpp"
#include "messaging/message_system.hpp"
#include "sched/wait_table.hpp"

#include <atomic>

namespace parley::kernel {

class Cube {
public:
    // What the job does with its processes, their memory and their messages. A number is an endpoint.
    class Machinery {
    public:
        // The process is to end as soon as it can.
        virtual void stop(unsigned endpoint) = 0;
        virtual sched::PendingWork& pending_work(unsigned endpoint) = 0;
        // Becomes true before the processes of a job that ends are killed.
        virtual const Atomic<bool>& job_ends() const = 0;
        // Whether delivery processes end by themselves when no program runs any more.
        virtual bool helpers_see_the_end() const = 0;
        // These programs are to end, and messages may stay for their successors: tells the job's other
        // machines, where there are any.
        virtual void tell_kill(jobs::Selection whom, bool successors_receive) = 0;
        // Releases what was made there for a program that never started.
        virtual void take_back(unsigned endpoint) = 0;
        // Releases the messages to a place where no program is.
        virtual void forget_messages(unsigned endpoint) = 0;
        // The process is addressed with that pid from now on. The caller's locks are held meanwhile, so this
        // waits for nobody. Errors: bad_process, pid_in_use.
        virtual Result<void> set_pid(unsigned endpoint, int pid) = 0;
        // Lets others run for a moment, while the caller waits for them. The caller holds no lock.
        virtual void give_way() = 0;

    protected:
        ~Machinery() = default;
    };
    // Makes the programs of one load. Called by the loading process.
    class Maker {
    public:
        // Errors: not_found, bad_executable, bad_argument, no_memory.
        virtual Result<void> make(unsigned endpoint) = 0;
        // All programs are made: this one gets its pid, and messages may come to it. Errors: pid_in_use.
        virtual Result<void> open(unsigned endpoint) = 0;

    protected:
        ~Maker() = default;
    };

    // The roster has an entry for each of the job's processes.
    Cube(jobs::Roster& roster, Machinery& machinery, sched::WaitTable& waits)
        : roster_(roster), machinery_(machinery), waits_(waits)
    {
    }
    Cube(const Cube&) = delete;

    const jobs::Roster& roster() const { return roster_; }

    // A program has been made ready there.
    void begin(unsigned endpoint);
    // Waits until the calling process, whose endpoint this is, has a program. False: it will never have one
    // again.
    bool await_program(unsigned endpoint);
    // The program there has ended.
    void leave(unsigned endpoint, int status);
    // Another machine of the job says that the program there has ended, or that somebody has had it end.
    void left_elsewhere(unsigned endpoint, int status);
    void killed_elsewhere(unsigned endpoint, bool successor_receives);
    // Whether the process stays when its program ends.
    bool keeps(unsigned endpoint) const { return roster_.has_host() && roster_.is_program(endpoint); }

    // The calls of interface/calls.def, by the process `caller`. Errors: those of jobs::Roster; where the
    // process waits, interrupted and killed.
    // Errors also: those of make() and open(). Answers the endpoint of the first program.
    Result<unsigned> load(unsigned caller, jobs::Selection where, Maker& maker);
    // The programs that load() has placed begin.
    void start(jobs::Selection whom);
    Result<jobs::Ended> wait(unsigned caller, const jobs::WaitForEnds& wait);
    // Messages that wait for the killed stay for their successors, or are forgotten.
    Result<void> kill(unsigned caller, jobs::Selection whom, messaging::Waiting messages);
    Result<void> set_pid(unsigned caller, int pid);
    // A handler of this process is due: wakes the process if it waits for ends of programs.
    void look_again(unsigned endpoint);

private:
    void wake_waiters() REQUIRES(roster_.lock());
    void give_back(unsigned owner);
    void forget_messages(jobs::Selection whom);
    void end_of_all();

    jobs::Roster& roster_;
    Machinery& machinery_;
    sched::WaitTable& waits_; // where processes wait for programs, and for ends of programs
    std::atomic<bool> over_{false};
    std::atomic<bool> loading_{false}; // by one process at a time: there is memory for making one program
};

} // namespace parley::kernel

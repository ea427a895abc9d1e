// SPDX-License-Identifier: MIT
// The programs of a job's processes: the kernel's side of load, waitall and killcube. What they mean is the
// roster's to say (jobs/roster.hpp); the processes are made ready, woken and stopped here. In a job with a
// host only the host has a program from the start; the others wait for theirs, and for the next when it has
// ended, until no program of the job runs.
#pragma once

#include "jobs/roster.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/program/failure.hpp"
#include "messaging/message_system.hpp"
#include "sched/wait_table.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace parley::kernel {

class Job;
class UserProcess;

class Cube {
public:
    Cube(Job& job, sched::WaitTable& waits) : job_(job), waits_(waits) { }
    Cube(const Cube&) = delete;

    // A place for each process, by endpoint; before anything else. Error::no_memory.
    Result<void> make_places(Window& window, unsigned processes);
    // The job has its places.
    const jobs::Roster& roster() const { return *roster_; }

    // Its program has been made ready.
    void begin(const UserProcess& process);
    // Until the process has a program; false when it will never have one any more. On its own behalf.
    bool await_program(const UserProcess& process);
    // Its program has ended.
    void leave(UserProcess& process, int status);
    // Whether the process stays when its program ends.
    bool keeps(const UserProcess& process) const;

    // The calls. Errors: those of jobs::Roster; interrupted, killed where they wait.
    // The words are a program's name and its arguments, with zeros between them. Errors also: not_found,
    // bad_executable, bad_argument, no_memory.
    Result<std::uint64_t> load(const UserProcess& caller, std::string_view words, jobs::Selection where);
    // What load has placed begins.
    void start(jobs::Selection whom);
    Result<jobs::Ended> wait(UserProcess& caller, const jobs::Wait& wait);
    // Messages that wait for the killed stay for their successors, or are forgotten.
    Result<void> kill(UserProcess& caller, jobs::Selection whom, messaging::Waiting messages);
    Result<void> set_pid(const UserProcess& caller, int pid);
    // A handler of this process is due: if it waits for ends, it looks up.
    void look_again(const UserProcess& process);

private:
    class Maker;

    void wake_waiters() REQUIRES(roster_->lock());
    void give_back(unsigned owner);
    void forget_messages(jobs::Selection whom);
    void end_of_all();

    Job& job_;
    sched::WaitTable& waits_; // where its processes wait for programs, and for ends of programs
    jobs::Roster* roster_ = nullptr;
    std::atomic<bool> over_{false};
    std::atomic<bool> loading_{false}; // by one at a time, for there is memory for making one program
};

} // namespace parley::kernel

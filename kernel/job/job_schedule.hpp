// SPDX-License-Identifier: MIT
// How a job's processes get processors: they are members of a gang, or timeshared with everything else. What
// was planned (schedule_plan.hpp) is made here, and every process of the job is admitted before it is ready
// for the first time.
#pragma once

#include "kernel/job/job_processes.hpp"
#include "kernel/job/schedule_plan.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/program/failure.hpp"
#include "sched/gang_host.hpp"
#include "sched/server_set.hpp"
#include "sched/urgent_queue.hpp"

#include <string_view>

namespace parley::sched {
class Gang;
class Process;
} // namespace parley::sched

namespace parley::kernel {

class JobSchedule {
public:
    // What a schedule needs of the machine: the processors that run jobs, their scheduler, the queue of
    // processes that go before all others, and that of the service processor.
    struct Surroundings {
        const sched::ServerSet& servers;
        sched::GangHost& scheduler;
        sched::UrgentQueue& urgent;
        sched::ReadyQueue& service;
    };

    // A gang lies in the window. Errors: bad_argument, where the machine cannot be shared as it is wished;
    // no_memory.
    static Loaded<JobSchedule> create(Window& window, const ScheduleWish& wish, const Surroundings& machine);

    // As the record has it (schedule_plan.hpp).
    std::string_view name() const { return plan_.name(); }
    // Every process of the job is admitted before it is ready for the first time.
    void admit(sched::Process& process) const;
    // Admits a process that goes before all programs, unless it has a processor in the gang.
    void admit_policy_process(sched::Process& process) const;
    // Admits a process that stands for a device: the service processor runs it, and it is no member.
    void admit_device(sched::Process& process) const;
    // The job's processes run from now on. Called once, when all have been admitted.
    void begin(const JobProcesses& processes) const;
    // The job ends: if its gang has not begun, its members never will, but each must end, on any processor
    // that is free.
    void withdraw(const JobProcesses& processes) const;
    // Waits until no processor asks for the job's processes any more. All of them have ended. Called by the
    // main process.
    void leave_processors() const;

private:
    JobSchedule(const SchedulePlan& plan, const Surroundings& machine)
        : plan_(plan), servers_(&machine.servers), scheduler_(&machine.scheduler), urgent_(&machine.urgent),
          service_(&machine.service)
    {
    }
    Result<void> make_gang(Window& window);

    SchedulePlan plan_;
    const sched::ServerSet* servers_;
    sched::GangHost* scheduler_;
    sched::UrgentQueue* urgent_;
    sched::ReadyQueue* service_;
    sched::Gang* gang_ = nullptr;
};

} // namespace parley::kernel

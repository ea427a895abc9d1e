// SPDX-License-Identifier: MIT
// Makes the parts of a job, in the order of its methods, each from those before it; the job keeps them
// (job.hpp: build). A part that cannot be made is refused with a sentence.
#pragma once

#include "kernel/job/job.hpp"

namespace parley::kernel {

class JobBuilder {
public:
    JobBuilder(Kernel& kernel, Job& job, JobMemory& memory) : kernel_(kernel), job_(job), memory_(memory) { }

    // Refuses a job whose share of the memory, or whose budget of it, does not fit.
    Loaded<void> check_share() const;
    Loaded<SemaphoreKinds> make_semaphore_kinds(const JobChoices& choices, const JobFactors& factors) const;
    // Makes the job's part in the network to other machines. Null: this machine is alone.
    Loaded<JobNetwork*> make_network(const JobFactors& factors, const SemaphoreKinds& kinds) const;
    Loaded<JobSchedule> make_schedule(const JobFactors& factors, const SemaphoreKinds& kinds) const;
    Loaded<JobPrograms*> make_programs() const;
    // Makes the region and the domains in the job's memory.
    Loaded<void> fill_memory(const JobFactors& factors, const SemaphoreKinds& kinds) const;
    // Makes the roster, with an entry for each process.
    Loaded<jobs::Roster*> make_roster(unsigned processes) const;
    // Makes the processes, and admits them to the schedule. They come before the message system, so that what
    // is used all the time lies together in the window.
    Loaded<JobProcesses> make_processes(const JobFactors& factors, const SemaphoreKinds& kinds,
                                        const JobSchedule& schedule) const;
    Loaded<JobMessageSystem*> make_messages(const JobFactors& factors) const;
    // Makes the words in which a monitor of the job's waits remembers what it saw.
    Loaded<std::span<std::uint32_t>> make_watch_words(const JobFactors& factors) const;
    // Gives each process its domain, its way into the message system, and what it is there for.
    Loaded<void> occupy(const JobProcesses& processes, const JobFactors& factors, JobMessageSystem& messages,
                        JobPrograms& programs, const StartInfo& start_info) const;

private:
    std::size_t budget() const;
    unsigned devices(const JobFactors& factors) const;
    Loaded<void> check_network(const JobFactors& factors, const SemaphoreKinds& kinds) const;
    Loaded<void> place_pages(Domain& domain, unsigned process) const;
    Loaded<void> check_room(std::size_t frames_each, unsigned others) const;
    unsigned in_domains(const JobFactors& factors) const;
    void move_in(UserProcess& process, const JobFactors& factors) const;
    Loaded<void> give_program(UserProcess& process, JobPrograms& programs, const StartInfo& start_info) const;

    Kernel& kernel_;
    Job& job_;
    JobMemory& memory_;
};

} // namespace parley::kernel

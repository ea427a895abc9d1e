// SPDX-License-Identifier: MIT
// Makes what a job needs before its first process can run: shared region, domains, message system, processes.
// Each step fails with a sentence.
#pragma once

#include "kernel/job/job.hpp"
#include "kernel/program/program.hpp"

#include <array>
#include <span>

namespace parley::kernel {

class JobBuilder {
public:
    JobBuilder(Kernel& kernel, Job& job, JobParts& parts) : kernel_(kernel), job_(job), parts_(parts) { }

    Loaded<void> build();
    // A program for a process of a job that runs already. Its arguments are the name, and what stands behind
    // each zero in `rest`.
    Loaded<void> load(UserProcess& process, std::span<const std::byte> program, std::string_view name,
                      std::string_view rest);

private:
    Loaded<void> check_share();
    Loaded<void> choose_design();
    Loaded<void> make_semaphores();
    Loaded<void> make_pages();
    Loaded<void> make_word_waits();
    Loaded<void> make_factors();
    Loaded<void> refuse_with(std::string_view sentence);
    Loaded<void> choose_schedule();
    Loaded<void> make_gang(const SchedulePlan::Gang& plan);
    void schedule(UserProcess& process);
    Loaded<void> find_program();
    Loaded<void> make_shared_region();
    Loaded<void> make_domains();
    Loaded<void> place_pages(Domain& domain, unsigned process);
    Loaded<void> make_message_system();
    unsigned endpoint_count() const;
    unsigned process_count() const;
    unsigned processes_in_domains() const;
    std::size_t trace_area() const;
    Loaded<void> make_processes();
    Loaded<void> make_programs();
    void make_policy_processes();
    Loaded<void> check_room(std::size_t frames_each, unsigned others);
    Loaded<void> make_place(UserProcess& process);
    bool runs_beside_others() const;
    Loaded<void> make_program(UserProcess& process);
    StandardInput* input_of(const UserProcess& process) const;
    void house(UserProcess& process);
    parley_start start_info(const UserProcess& process) const;

    Kernel& kernel_;
    Job& job_; // whose processes they are
    JobParts& parts_;
    unsigned helpers_ = 0;
    std::span<const std::byte> program_;
    std::span<std::byte> scratch_;
    std::array<std::string_view, 64> arguments_;
    std::size_t argument_count_ = 0;
};

} // namespace parley::kernel

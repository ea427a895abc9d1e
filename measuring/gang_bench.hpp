// SPDX-License-Identifier: MIT
// Measures the scheduler with gangs of kernel processes that only note when they first run, as section 5.3 of
// the paper does. The caller's processor is free for the gang while it waits, if the caller is timeshared.
#pragma once

#include "interface/gang_times.h"
#include "kernel/job/schedule_plan.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/process/timer_queue.hpp"
#include "kernel/processors.hpp"
#include "sched/gang.hpp"
#include "sched/gang_host.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"
#include "sched/wait_table.hpp"

namespace parley::kernel {

class GangBench {
public:
    // What it needs of the machine, which outlives it.
    struct Surroundings {
        const Processors& processors;
        sched::GangHost& scheduler;
        sched::WaitTable& waits;
        TimerQueue& timers;
    };

    // Its workers live in the window, and go with it. `queue`: what its gangs have.
    GangBench(const Surroundings& machine, Window& window, GangQueue queue)
        : machine_(machine), window_(window), queue_(queue)
    {
    }
    GangBench(const GangBench&) = delete;

    // One measurement at a time. `load`: processes a processor, with NX_LOAD_AT_RANDOM or without. Errors:
    // bad_argument (more members than processors, too much load), not_permitted (the caller keeps its
    // processor, so the gang could never collect all), no_memory, would_block.
    Result<nx_gang_times> measure(std::uint64_t members, std::uint64_t load);

private:
    struct Worker : sched::Process {
        GangBench* bench = nullptr;
        std::uint64_t stack = 0;
        std::atomic<std::uint64_t> first_run{0};
        std::uint32_t draws = 0; // the state of its random numbers
    };
    static constexpr unsigned max_load = 4; // timeshared processes a processor
    static constexpr unsigned max_workers = arch::max_processors * (max_load + 1);

    Result<void> equip(unsigned count);
    sched::ReadyQueue& new_queue();
    void prepare(Worker& worker, void (*run)(void*));
    void start_load(unsigned first, unsigned count);
    void wait_for(std::atomic<unsigned>& count);
    void begin_together();
    void leave_processors(const sched::ReadyQueue* queue);
    std::uint64_t measure_single();
    nx_gang_times measure_gang(unsigned members);
    nx_gang_times times_of(const sched::Gang& gang) const;
    void compute_what_is_left();
    static void run_member(void* worker);
    static void run_load(void* worker);
    static void compute_for_whole_slices(const GangBench& bench);
    static void compute_at_random(Worker& self);

    const Surroundings machine_;
    Window& window_;
    const GangQueue queue_;
    std::atomic<bool> busy_{false};
    Worker* workers_[max_workers] = {};
    unsigned equipped_ = 0;
    unsigned calls_ = 0;
    std::atomic<unsigned> members_living_{0};
    std::atomic<unsigned> members_to_begin_{0};
    std::atomic<unsigned> load_living_{0};
    std::atomic<bool> load_wanted_{false};
    bool load_at_random_ = false;
    std::uint32_t draws_ = 88'675'123; // the state of the asker's random numbers
    // A gang's queue must outlive the last processor that asks it.
    alignas(sched::SharedGangScheduler) std::byte shared_[sizeof(sched::SharedGangScheduler)];
    alignas(sched::PrivateGangScheduler) std::byte private_[sizeof(sched::PrivateGangScheduler)];
    alignas(sched::Gang) std::byte gang_[sizeof(sched::Gang)];
};

} // namespace parley::kernel

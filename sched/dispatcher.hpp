// SPDX-License-Identifier: MIT
// One a processor: decides what runs next and switches to it. All functions want interrupts off and no locks held.
#pragma once

#include "arch/x86_64/page_table.hpp"
#include "sched/ready_queue.hpp"

namespace parley::sched {

inline constexpr std::uint64_t time_slice_nanoseconds = 10'000'000;

class Dispatcher {
public:
    // The dispatcher of the processor that runs this.
    static Dispatcher& here() { return *static_cast<Dispatcher*>(arch::this_processor().dispatcher); }

    // Make this the dispatcher of `processor`, serving `queue`; the caller's stack becomes the idle process.
    void start(arch::Processor& processor, ReadyQueue& queue);
    // What a processor does when it has nothing to do.
    [[noreturn]] void idle();

    // The caller's process waits or has ended: run another. Returns when it is dispatched again.
    void run_next();
    // The caller's process has used its slice: queue it behind the others.
    void preempt();

    ReadyQueue& queue() { return *queue_.load(std::memory_order_relaxed); }
    // Change the queue that this processor serves, from its own next decision on.
    void serve(ReadyQueue& queue) { queue_.store(&queue, std::memory_order_relaxed); }

    static void set_dispatchers(Dispatcher* all, unsigned count);
    static unsigned count();
    static Dispatcher& at(unsigned index);

private:
    friend void make_ready(Process& process);
    friend void interrupt_processor_of(const Process& process);
    friend void finish_switch();

    void switch_to(Process& next);

    arch::Processor* processor_ = nullptr;
    std::atomic<ReadyQueue*> queue_{nullptr};
    Process idle_process_;
    Process* previous_ = nullptr;
    PhysAddr loaded_space_;
    std::atomic<bool> idle_{false};
    std::atomic<Process*> current_{nullptr};
};

// Queue a process and, if a processor that serves its queue is idle, wake it.
void make_ready(Process& process);
// Have the processor that runs `process` look at it again (it has been killed).
void interrupt_processor_of(const Process& process);
// First thing that a new process's context must do.
void finish_switch();

inline Process& current() { return *static_cast<Process*>(arch::current_process()); }

} // namespace parley::sched

// SPDX-License-Identifier: MIT
// The kernel runs with interrupts off, except in a Preemptible scope: there the tick may take the processor
// away, and a kill is noticed. The scope's owner holds no kernel lock.
#pragma once

#include "arch/x86_64/pause.hpp"
#include "arch/x86_64/registers.hpp"
#include "sched/dispatcher.hpp"

namespace parley::kernel {

class Preemptible {
public:
    Preemptible() : self_(sched::current())
    {
        self_.preemptible = true;
        arch::enable_interrupts();
    }
    ~Preemptible()
    {
        arch::disable_interrupts();
        self_.preemptible = false;
    }
    Preemptible(const Preemptible&) = delete;

    bool killed() const { return self_.pending_work.killed(); }

private:
    sched::Process& self_;
};

// Lets the interrupts that wait for this processor in, once. The caller holds no kernel lock.
inline void preemption_point()
{
    const Preemptible window;
    asm volatile("nop"); // interrupts come in after the instruction that follows STI
}

// As preemption_point(), in a loop that waits for another processor: an emulator that runs one processor at
// a time might run only this one otherwise.
inline void give_way_once()
{
    preemption_point();
    arch::pause();
}

} // namespace parley::kernel

// SPDX-License-Identifier: GPL-2.0-or-later
// The fast back end: runs the emulator's processors, all on one thread, in the order of simulated clocks.
#pragma once

#include "tools/machine_model/machine.hpp"
#include "tools/machine_model/plugin/emulator.hpp"
#include "tools/machine_model/processor_order.hpp"

#include <pthread.h>
#include <vector>

namespace parley::machine_model {

// What translated code adds to and compares with, so it stands by itself. The clock of the processor that
// runs, and where it stops for others.
struct RunningClock {
    Picoseconds now = 0;
    Picoseconds limit = 0;
    unsigned processor = 0;
};

// All calls come from the emulator: in the thread that runs its processors unless a contract says otherwise.
class Simulation {
public:
    // `modelled`: the processors that the machine has, whose accesses its memory serves. They are the
    // emulator's last ones; if it has one more, its first boots and keeps the time, and its accesses take
    // none.
    Simulation(const Emulator& emulator, Machine machine, unsigned processors, unsigned modelled,
               Picoseconds lookahead);

    unsigned processors() const { return order_.processors(); } // the emulator's
    RunningClock& running() { return running_; }
    Machine& machine() { return machine_; }
    // Whether that processor of the emulator is one of the machine's.
    bool is_modelled(unsigned processor) const { return processor >= first_modelled_; }
    // Which of the machine's a modelled processor of the emulator is.
    unsigned number_in_machine(unsigned processor) const { return processor - first_modelled_; }

    // Called at the start of a block, by a processor that may not run it now: returns if it may after all,
    // else leaves the block.
    void hold(unsigned processor, const void* return_address);
    // Called before a processor's HLT.
    void halt(unsigned processor);
    // The entries of the accelerator's table.
    void interrupt(CPUState* processor, int mask);
    std::int64_t virtual_clock(); // also called by other threads, which see none of the simulated time
    std::int64_t elapsed_ticks() const { return static_cast<std::int64_t>(running_.now / nanosecond); }

    // What follows is of all that has been simulated.
    Picoseconds clock(unsigned processor) const;
    Picoseconds asleep(unsigned processor) const { return order_.asleep(processor); }
    std::uint64_t switches() const { return switches_; }

    void set_real_interrupt(Emulator::HandleInterrupt real) { real_interrupt_ = real; }

private:
    static constexpr unsigned nobody = ~0U;

    void run_next(unsigned last);
    void run(unsigned processor);
    void stop_running();
    void run_timers_until(Picoseconds at);
    Picoseconds timer_due();
    bool runs_not(unsigned held);
    unsigned number_of(const CPUState* processor);
    CPUState* state_of(unsigned processor);

    Emulator emulator_;
    Machine machine_;
    ProcessorOrder order_;
    unsigned first_modelled_;
    RunningClock running_;
    pthread_t main_thread_;
    std::vector<CPUState*> states_; // found when first used
    std::vector<unsigned> held_;    // how often each was held since the chosen one has moved
    Picoseconds seen_ = never;      // where the chosen one's clock was then
    Emulator::HandleInterrupt real_interrupt_ = nullptr;
    Picoseconds timers_now_ = 0; // what the timers are run by
    bool in_timers_ = false;
    std::uint64_t switches_ = 0;
};

} // namespace parley::machine_model

// SPDX-License-Identifier: MIT
// Programs that run on the scheduler's simulated machine: each is a thread of control whose steps take no
// time, between waits and computations that take as long as they say. Processors find their programs in the
// scheduler's own ready queue, and fast ones take them over from slow ones by its own rule. One machine at a
// time.
#pragma once

#include "sched/fifo_queue.hpp"
#include "sched/simulated_machine.hpp"
#include "studies/cmmp/measuring/stealing.hpp"
#include "studies/cmmp/simulated/hardware.hpp"
#include "studies/cmmp/simulated/timeline.hpp"
#include "testing/fiber.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

namespace parley::simulated {

// What the machine did beside running programs.
struct MachineCounts {
    unsigned long steals = 0;     // processes that went over to a fast processor
    unsigned long requests = 0;   // for more time slices
    unsigned long interrupts = 0; // of a processor, by a device
};

class SimulatedPrograms {
public:
    explicit SimulatedPrograms(unsigned processors) : SimulatedPrograms(Hardware{.fast = processors}) { }
    explicit SimulatedPrograms(const Hardware& hardware);
    SimulatedPrograms(const SimulatedPrograms&) = delete;
    ~SimulatedPrograms();

    // Of waits in the kernel that keep their processor.
    void look_every(Nanoseconds turn) { look_ = turn; }
    // Before run(). `dispatch`: how long a processor takes to go over to it. `code`: the bank that its work
    // refers to.
    void add(Nanoseconds dispatch, std::function<void()> body, unsigned code = Banks::none);
    // Until all have ended. False: some wait, and nobody will wake them.
    bool run();
    // How long the program that was added so-many-th, from 0, has computed.
    Nanoseconds busy(unsigned program) const { return programs_[program].busy; }
    const MachineCounts& counts() const { return counts_; }
    // Before run(): what happens in that window is noted.
    void watch(Nanoseconds from, Nanoseconds to)
    {
        timeline_.watch(from, to, hardware_.fast + hardware_.slow);
    }
    const Timeline& timeline() const { return timeline_; }

    // At that time, unless all programs have ended before.
    void at(Nanoseconds time, std::function<void()> action) { actions_.emplace(time, std::move(action)); }
    // That processor does nothing else for so long; what runs there takes so much longer. By an action.
    void interrupt(unsigned processor, Nanoseconds service);

    // The machine whose program runs; null: none does.
    static SimulatedPrograms* here();
    static Nanoseconds now() { return sched::SimulatedMachine::now; }

    // ---- by the program that runs ----

    unsigned current() const { return current_->member; }
    // It keeps its processor for so long, on a fast one. `Memory`: whether it does so with references to its
    // bank all the time.
    enum class Memory : bool { none, bank };
    void compute(Nanoseconds time, Memory memory = Memory::none);
    void sleep_until(Nanoseconds time);
    // Until another wakes sleepers of that address.
    void sleep(const void* address);
    void wake(const void* address, unsigned count);
    // It keeps its processor and looks again and again, a look every `turn`, until something has changed:
    // looks at what has not are left out. `share`: of its references, those to the bank of the words.
    void spin(Nanoseconds turn, double share = 0);
    void changed();
    Nanoseconds look() const { return look_; }

private:
    struct Program final : sched::Process {
        Program(Nanoseconds dispatch, std::function<void()> body, unsigned code)
            : dispatch(dispatch), code(code), fiber(std::move(body))
        {
        }

        const Nanoseconds dispatch;
        const unsigned code;
        testing::Fiber fiber;
        // What it gave way for: to compute, to spin, or else to leave its processor.
        enum class Next : std::uint8_t { compute, spin, leave } next = Next::leave;
        bool dispatched = false; // its processor has gone over to it
        Nanoseconds due = 0;     // of a timed sleeper
        // What it has still to compute, on a fast processor alone at its bank; reckoned up to `since`, at
        // `pace` times that long.
        double work = 0, pace = 1;
        Nanoseconds since = 0;
        Memory memory = Memory::none;
        Nanoseconds spins_since = 0, turn = 0, look = 0; // its next look
        double share = 0;
        const void* address = nullptr; // that it sleeps on
        Nanoseconds busy = 0;
        Nanoseconds slice_left = 0;
        unsigned slices_left = 0;
    };
    static constexpr Nanoseconds never = ~Nanoseconds{0};

    static Program& program_on(const sched::SimulatedProcessor& processor);
    void take_its_turn(sched::SimulatedProcessor& processor);
    void resume(sched::SimulatedProcessor& processor);
    void go_on(sched::SimulatedProcessor& processor);
    void reckon(Program& program) const;
    void plan(sched::SimulatedProcessor& processor) const;
    bool keeps_its_processor(sched::SimulatedProcessor& processor);
    void make_ready(Program& program);
    void steal();
    double pace_on(const sched::SimulatedProcessor& processor) const;
    void find_loads();
    void note_activities();

    const Hardware hardware_;
    sched::SimulatedMachine machine_;
    sched::FifoQueue ready_;
    const cmmp::Stealing stealing_;
    std::deque<Program> programs_;
    std::vector<Program*> sleepers_;       // on addresses, who has slept longest first
    std::vector<Program*> timed_sleepers_; // until their due times
    std::multimap<Nanoseconds, std::function<void()>> actions_;
    std::vector<Nanoseconds> interrupted_until_; // by processor
    std::vector<double> loads_;                  // by bank: processors that refer to it
    Nanoseconds scheduler_free_ = 0;
    MachineCounts counts_;
    Timeline timeline_;
    Program* current_ = nullptr;
    unsigned living_ = 0;
    Nanoseconds look_ = 1;
};

} // namespace parley::simulated

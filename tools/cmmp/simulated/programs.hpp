// SPDX-License-Identifier: MIT
// Programs that run on the scheduler's simulated machine: each is a thread of control whose steps take no
// time, between waits and computations that take as long as they say. Processors find their programs in the
// scheduler's own ready queue. One machine at a time.
#pragma once

#include "sched/fifo_queue.hpp"
#include "sched/simulated_machine.hpp"
#include "tools/testing/fiber.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace parley::simulated {

using Nanoseconds = std::uint64_t;

class Programs {
public:
    explicit Programs(unsigned processors);
    Programs(const Programs&) = delete;
    ~Programs();

    // Before run(). `dispatch`: how long a processor takes to go over to it.
    void add(Nanoseconds dispatch, std::function<void()> body);
    // Until all have ended. False: some wait, and nobody will wake them.
    bool run();
    // How long the program that was added so-many-th, from 0, has computed.
    Nanoseconds busy(unsigned program) const { return programs_[program].busy; }

    // The machine whose program runs; null: none does.
    static Programs* here();
    static Nanoseconds now() { return sched::SimulatedMachine::now; }

    // ---- by the program that runs ----

    unsigned current() const { return current_->member; }
    // It keeps its processor for so long.
    void compute(Nanoseconds time);
    void sleep_until(Nanoseconds time);
    // Until another wakes sleepers of that address.
    void sleep(const void* address);
    void wake(const void* address, unsigned count);
    // It keeps its processor and looks again and again, a look every `turn`, until something has changed:
    // looks at what has not are left out.
    void spin(Nanoseconds turn);
    void changed();

private:
    struct Program final : sched::Process {
        Program(Nanoseconds dispatch, std::function<void()> body) : dispatch(dispatch), fiber(std::move(body))
        {
        }

        const Nanoseconds dispatch;
        testing::Fiber fiber;
        // What it gave way for: to compute until `due`, to spin, or else to leave its processor.
        enum class Next : std::uint8_t { compute, spin, leave } next = Next::leave;
        Nanoseconds due = 0;
        Nanoseconds spins_since = 0, turn = 0;
        const void* address = nullptr; // that it sleeps on
        Nanoseconds busy = 0;
    };
    static constexpr Nanoseconds never = ~Nanoseconds{0};

    static Program& program_on(const sched::SimulatedProcessor& processor);
    void resume(sched::SimulatedProcessor& processor);
    void make_ready(Program& program);

    sched::SimulatedMachine machine_;
    sched::FifoQueue ready_;
    std::deque<Program> programs_;
    std::vector<Program*> sleepers_;       // on addresses, who has slept longest first
    std::vector<Program*> timed_sleepers_; // until their due times
    std::vector<sched::SimulatedProcessor*> spinning_;
    Program* current_ = nullptr;
    unsigned living_ = 0;
};

} // namespace parley::simulated

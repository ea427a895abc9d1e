// SPDX-License-Identifier: MIT
// A machine for tests of the scheduler's own sources: processors that run under a simulated clock, where time
// is exact. Each process that can be interrupted computes for a time that the test draws, and then gives way.
#pragma once

#include "sched/gang_host.hpp"
#include "sched/process.hpp"
#include "sched/server_set.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace parley::sched {

class SimulatedProcessor final : public Server {
public:
    explicit SimulatedProcessor(unsigned index) : Server(index) { }

    void wake() override { woken = true; }
    void mark_idle(bool idle) { set_idle(idle); }

    Process* running = nullptr;
    std::uint64_t until = 0; // when the running process gives way
    bool woken = false;
};

class SimulatedMachine {
public:
    using Draw = std::function<std::uint64_t()>;

    static inline std::uint64_t now = 0; // the simulated clock, in nanoseconds
    static std::uint64_t clock() { return now; }

    // `burst`: how long a process computes each time.
    SimulatedMachine(unsigned processors, Draw burst) : burst_(std::move(burst))
    {
        now = 0;
        for (unsigned i = 0; i < processors; ++i) {
            processors_.push_back(std::make_unique<SimulatedProcessor>(i));
            servers.add(*processors_.back());
        }
    }

    void serve(GangHost& host)
    {
        for (auto& processor : processors_)
            processor->serve(host);
    }
    Process& add_background(GangHost& host)
    {
        background_.push_back(std::make_unique<Process>());
        background_.back()->queue = &host;
        host.add(*background_.back());
        return *background_.back();
    }

    // All processors decide; those that find nothing are idle.
    void start()
    {
        for (auto& processor : processors_)
            decide(*processor);
    }
    // The next processor whose process gives way decides again; idle ones that were woken do so at once.
    void step()
    {
        SimulatedProcessor* next = nullptr;
        for (auto& processor : processors_) {
            if (processor->running != nullptr && gives_way(*processor->running) &&
                (next == nullptr || processor->until < next->until))
                next = processor.get();
        }
        if (next != nullptr) {
            now = next->until;
            next->running->queue->add(*next->running);
            decide(*next);
        }
        run_woken();
    }
    void run_woken()
    {
        for (auto& processor : processors_) {
            if (processor->woken && processor->running == nullptr)
                decide(*processor);
        }
    }
    // The process that runs there ends.
    void end(unsigned index, GangHost& host)
    {
        Process& process = *processors_[index]->running;
        if (process.gang != nullptr)
            host.member_ended(*process.gang);
        decide(*processors_[index]);
        run_woken();
    }
    Process* running(unsigned index) { return processors_[index]->running; }
    void decide(SimulatedProcessor& processor)
    {
        processor.woken = false;
        processor.mark_idle(true);
        processor.running = processor.next_process();
        if (processor.running == nullptr)
            return;
        processor.mark_idle(false);
        processor.until = now + burst_();
    }
    SimulatedProcessor& processor(unsigned index) { return *processors_[index]; }

    ServerSet servers;

private:
    static bool gives_way(const Process& process) { return process.kind != ProcessKind::uninterruptible; }

    Draw burst_;
    std::vector<std::unique_ptr<SimulatedProcessor>> processors_;
    std::vector<std::unique_ptr<Process>> background_;
};

} // namespace parley::sched

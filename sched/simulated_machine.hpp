// SPDX-License-Identifier: MIT
// A machine for the scheduler's own sources: processors that run under a simulated clock, where time is
// exact. Each process that can be interrupted computes for a time that its owner says, and then gives way.
#pragma once

#include "sched/gang_host.hpp"
#include "sched/process.hpp"
#include "sched/server_set.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
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
    using Burst = std::function<std::uint64_t(const Process&)>;

    static inline std::uint64_t now = 0; // the simulated clock, in nanoseconds
    static std::uint64_t clock() { return now; }

    // `burst`: how long a process computes each time.
    SimulatedMachine(unsigned processors, const Draw& burst)
        : SimulatedMachine(processors, Burst([burst](const Process&) { return burst(); }))
    {
    }
    SimulatedMachine(unsigned processors, Burst burst) : burst_(std::move(burst))
    {
        now = 0;
        for (unsigned i = 0; i < processors; ++i) {
            processors_.push_back(std::make_unique<SimulatedProcessor>(i));
            servers.add(*processors_.back());
        }
    }

    void serve(ReadyQueue& queue)
    {
        for (auto& processor : processors_)
            processor->serve(queue);
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
        if (SimulatedProcessor* const next = first_to_give_way()) {
            now = next->until;
            next->running->queue->add(*next->running);
            decide(*next);
        }
        run_woken();
    }
    // Null: no process that runs gives way.
    SimulatedProcessor* first_to_give_way()
    {
        SimulatedProcessor* first = nullptr;
        for (auto& processor : processors_) {
            if (processor->running != nullptr && gives_way(*processor->running) &&
                (first == nullptr || processor->until < first->until))
                first = processor.get();
        }
        return first;
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
    // What runs on `from` goes on on `to`, which was idle and is claimed; `from` looks for something else.
    void move(SimulatedProcessor& from, SimulatedProcessor& to)
    {
        to.running = from.running;
        to.until = now + burst_(*to.running);
        decide(from);
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
        processor.until = now + burst_(*processor.running);
    }
    SimulatedProcessor& processor(unsigned index) { return *processors_[index]; }

    ServerSet servers;

private:
    static bool gives_way(const Process& process) { return process.kind != ProcessKind::uninterruptible; }

    Burst burst_;
    std::vector<std::unique_ptr<SimulatedProcessor>> processors_;
    std::vector<std::unique_ptr<Process>> background_;
};

} // namespace parley::sched

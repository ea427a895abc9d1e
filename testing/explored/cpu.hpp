// SPDX-License-Identifier: MIT
// The scheduler's operations (arch/dispatching.hpp) in the explorer: each process and each processor's idle
// loop is a party, and a switch lets another party go on with the processor.
#pragma once

#include "arch/execution_state.hpp"
#include "testing/explorer.hpp"

namespace parley::arch {

struct Processor {
    void* dispatcher = nullptr;
    void* current = nullptr;
    explorer::Noted<bool> interrupted = false;
};

namespace explored {

// A context was loaded before it was saved, which would run one stack on two processors.
inline explorer::Noted<bool> two_on_one_stack = false;

// What ExecutionState::context points to. It begins saved. What the scheduler does with memory must order
// each load after the save before it; a context that is loaded again where it was saved needs no order.
class ExploredContext {
public:
    void save() { saved_ = true; }
    void load(Processor& processor)
    {
        if (!saved_)
            two_on_one_stack = true;
        saved_ = false;
        explorer::publish(this);
        given_ = &processor;
        explorer::wake(this, 1);
    }
    // Waits until the party has a processor again. Called by the party itself.
    void wait()
    {
        while (given_ == nullptr)
            explorer::sleep(this);
        explorer::collect(this);
        processor = given_;
        given_ = nullptr;
    }

    Processor* processor = nullptr; // that it has

private:
    bool saved_ = true;
    explorer::Noted<Processor*> given_ = nullptr;
};

// The contexts by the number of the party. A new exploration begins with new ones.
inline ExploredContext of_party[8];
inline ExploredContext& own() { return of_party[explorer::party()]; }
inline void begin()
{
    two_on_one_stack = false;
    for (ExploredContext& context : of_party)
        context = {};
}

} // namespace explored

inline void begin_dispatching(Processor& processor, void* dispatcher, void* process)
{
    explored::own().processor = &processor;
    processor.dispatcher = dispatcher;
    processor.current = process;
}

inline void* local_dispatcher() { return explored::own().processor->dispatcher; }

inline void* current_process() { return explored::own().processor->current; }

inline void switch_execution(Processor& processor, ExecutionState& from, const ExecutionState& to,
                             void* process)
{
    explorer::step();
    explored::ExploredContext& self = explored::own();
    from.context = &self;
    processor.current = process;
    self.save();
    static_cast<explored::ExploredContext*>(to.context)->load(processor);
    self.wait();
}

inline void start_ticks(std::uint64_t) { }
inline void stop_ticks() { }

inline void wait_for_interrupt()
{
    explorer::step();
    Processor& processor = *explored::own().processor;
    while (!processor.interrupted)
        explorer::sleep(&processor);
    processor.interrupted = false;
}

inline void wake_processor(Processor& processor)
{
    explorer::step();
    processor.interrupted = true;
    explorer::wake(&processor, 1);
}

} // namespace parley::arch

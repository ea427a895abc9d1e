// SPDX-License-Identifier: MIT
#include "tools/machine_model/processor_turns.hpp"

#include <utility>

namespace parley::machine_model {

ProcessorTurns::ProcessorTurns(ProcessorOrder& order, RunningClock& running, std::uint64_t& switches)
    : order_{order}, running_{running}, switches_{switches}
{
    for (unsigned processor = 0; processor < order.processors(); ++processor)
        sem_init(&turns_.emplace_back(), 0, 0);
}

void ProcessorTurns::begin(unsigned last, Picoseconds at)
{
    const std::lock_guard guard(mutex_);
    for (unsigned each = 0; each < order_.processors(); ++each) {
        order_.advance(each, at);
        order_.wake(each, at);
    }
    choose(*order_.next(last));
    sem_post(&turns_[running_.processor.load(std::memory_order_relaxed)]);
}

bool ProcessorTurns::runs(unsigned processor) const
{
    return running_.processor.load(std::memory_order_relaxed) == processor;
}

void ProcessorTurns::wait(unsigned processor)
{
    while (sem_wait(&turns_[processor]) != 0) { } // a signal of the emulator's
}

void ProcessorTurns::choose(unsigned processor)
{
    running_.now = order_.clock(processor);
    running_.limit.store(order_.limit(processor), std::memory_order_relaxed);
    running_.processor.store(processor, std::memory_order_relaxed);
    ++switches_;
}

void ProcessorTurns::wake_all()
{
    for (const unsigned processor : std::exchange(back_, {}))
        order_.wake(processor, running_.now);
}

void ProcessorTurns::pass_on(unsigned processor)
{
    {
        const std::lock_guard guard(mutex_);
        order_.advance(processor, running_.now);
        wake_all();
        const unsigned next = *order_.next(processor);
        choose(next);
        if (next == processor)
            return;
        sem_post(&turns_[next]);
    }
    wait(processor);
}

void ProcessorTurns::halt(unsigned processor)
{
    const std::lock_guard guard(mutex_);
    order_.advance(processor, running_.now);
    order_.halt(processor);
    wake_all();
    if (const auto next = order_.next(processor)) {
        choose(*next);
        sem_post(&turns_[*next]);
    } else {
        running_.processor.store(RunningClock::nobody, std::memory_order_relaxed);
    }
}

void ProcessorTurns::come_back(unsigned processor)
{
    {
        const std::lock_guard guard(mutex_);
        if (running_.processor.load(std::memory_order_relaxed) == RunningClock::nobody) {
            order_.wake(processor, 0);
            return choose(processor);
        }
        back_.push_back(processor);
        running_.limit.store(0, std::memory_order_relaxed);
    }
    wait(processor);
}

Picoseconds ProcessorTurns::stop_soon()
{
    const std::lock_guard guard(mutex_);
    return running_.limit.exchange(0, std::memory_order_relaxed);
}

void ProcessorTurns::go_on_until(Picoseconds limit)
{
    const std::lock_guard guard(mutex_);
    if (back_.empty())
        running_.limit.store(limit, std::memory_order_relaxed);
}

} // namespace parley::machine_model

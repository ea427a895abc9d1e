// SPDX-License-Identifier: MIT
#include "sched/dispatcher.hpp"

#include "base/architecture.hpp"
#include "base/processor_time_points.hpp"
#include "sched/trace_points.hpp"

namespace parley::sched {

namespace {

void wake(Server* idle)
{
    if (idle != nullptr)
        idle->wake();
}

void wake_idle_for(ReadyQueue& queue, const Process& process) { wake(queue.idle_server_for(process)); }

} // namespace

void Dispatcher::start(arch::Processor& processor, ReadyQueue& queue, Tick tick, std::uint64_t period)
{
    processor_ = &processor;
    tick_ = tick;
    period_ = period;
    serve(queue);
    idle_process_.name = "idle";
    idle_process_.kind = ProcessKind::system;
    arch::begin_dispatching(processor, this, &idle_process_);
    current_.store(&idle_process_, std::memory_order_relaxed);
    if (tick == Tick::always) {
        ticking_ = true;
        arch::start_ticks(time_slice_nanoseconds);
    }
}

void Dispatcher::idle()
{
    processor_time::becomes(Activity::idle);
    for (;;) {
        if (Process* next = after_idle_) {
            after_idle_ = nullptr;
            if (next == &idle_process_)
                arch::wait_for_interrupt();
            else
                switch_to(*next);
            continue;
        }
        // The mark comes before the look at the queue, and whoever queues something looks for marks
        // afterwards; queues order the two (a lock, or sequentially consistent stores), so one of the two
        // sees the other and no wake-up is lost.
        set_idle(true);
        if (Process* next = next_of_idle()) {
            // Claimed between the mark and the look: whoever did so may have queued another process than the
            // one we found, and told nobody else. Pass it on. What was queued may also be in our own queue,
            // and goes before a thread.
            const bool is_thread = next->queue == threads_;
            if (!unmark_idle()) {
                if (is_thread)
                    threads_->add(*next);
                wake_idle_for(*next->queue, *next);
                if (is_thread)
                    continue;
            }
            // This processor may have been woken for a thread, and runs another process instead: then another
            // idle processor is to run the thread.
            if (!is_thread && threads_ != nullptr && !threads_->empty())
                sched::wake(threads_->idle_server());
            switch_to(*next);
            continue;
        }
        arch::wait_for_interrupt();
        set_idle(false);
    }
}

void Dispatcher::run_next()
{
    // Whoever asked for a decision queued something before, so this is the one: else the interrupt, once it
    // is let in, would take the processor from whatever runs then.
    if (decision_wanted_.load(std::memory_order_relaxed))
        (void)take_decision_request();
    Process* next = next_process();
    switch_to(next != nullptr ? *next : idle_process_);
}

void Dispatcher::preempt()
{
    Process& self = current();
    if (&self == &idle_process_)
        return;
    if (self.queue == threads_ && self.may_run_on(index()))
        return preempt_thread(self);
    // Behind the others, and then whoever is first: perhaps itself. Another processor that takes it waits
    // until it is saved.
    self.queue->add(self);
    Process* next = next_after(self);
    if (next == nullptr || !self.may_run_on(index())) {
        // This processor was collected for a gang; another may be idle that could go on with what ran here,
        // or what ran here may not go on here.
        wake_idle_for(*self.queue, self);
    }
    switch_to(next != nullptr ? *next : idle_process_);
}

// It is queued only where another process runs here: else a processor that just then has a turn to give would
// take it for one that waits.
void Dispatcher::preempt_thread(Process& self)
{
    Process* const next = next_of_idle();
    if (next == nullptr)
        return;
    self.queue->add(self);
    wake_idle_for(*self.queue, self);
    switch_to(*next);
}

// Threads and what the processor's own queue has take turns, so that neither waits for the other's end.
Process* Dispatcher::next_after(const Process& self)
{
    const bool threads_wait = threads_ != nullptr && !threads_->empty();
    if (threads_wait && self.queue != threads_) {
        if (Process* const thread = threads_->take(*this))
            return thread;
    }
    Process* const next = next_process();
    return next == nullptr && threads_ != nullptr ? threads_->take(*this) : next;
}

Process* Dispatcher::next_of_idle()
{
    Process* const next = next_process();
    return next == nullptr && threads_ != nullptr ? threads_->take(*this) : next;
}

void Dispatcher::hand_over(Server& taker)
{
    Process& self = current();
    after_idle_ = &idle_process_;
    self.queue->add(self);
    taker.wake();
    switch_to(idle_process_);
}

void Dispatcher::wake() { arch::wake_processor(*processor_); }

bool Dispatcher::interrupt()
{
    if (decision_wanted_.exchange(true, std::memory_order_acq_rel))
        return false;
    wake();
    return true;
}

void Dispatcher::keep_ticking()
{
    gives_way_.store(true, std::memory_order_relaxed);
    if (ticking_)
        return;
    ticking_ = true;
    arch::start_ticks(period_);
}

// Uninterruptible processes run without ticks; so do idle processors, once they come from one.
void Dispatcher::set_tick(const Process& next)
{
    if (tick_ == Tick::always || next.kind == ProcessKind::system)
        return;
    const bool wanted = next.kind == ProcessKind::application;
    if (wanted == ticking_)
        return;
    ticking_ = wanted;
    if (wanted)
        arch::start_ticks(period_);
    else
        arch::stop_ticks();
}

void Dispatcher::switch_to(Process& next)
{
    Process& previous = current();
    if (&next == &previous)
        return;
    const processor_time::Inside change(Activity::switching);
    // Pairs with finish_switch(): another processor may still be saving this process's context. It may wait
    // in the same way for the one that runs here, so that one is saved first.
    if (next.on_processor.load(std::memory_order_acquire) && &next != &idle_process_) {
        if (&previous != &idle_process_) {
            after_idle_ = &next;
            return switch_to(idle_process_);
        }
        while (next.on_processor.load(std::memory_order_acquire))
            arch::pause();
    }
    next.on_processor.store(true, std::memory_order_relaxed);
    ++next.switches;
    trace::switching(previous, next);
    gives_way_.store(next.kind != ProcessKind::uninterruptible, std::memory_order_relaxed);
    set_tick(next);
    current_.store(&next, std::memory_order_seq_cst); // pairs with whoever interrupts a program that runs
    previous_ = &previous;
    arch::switch_execution(*processor_, previous.execution, next.execution, &next);
    finish_switch();
}

void finish_switch()
{
    // Release: the saved context is whole before another processor may load it.
    Dispatcher::here().previous_->on_processor.store(false, std::memory_order_release);
    processor_time::becomes(Activity::kernel); // of a new process; another is in switch_to() yet
}

void make_ready(Process& process)
{
    ReadyQueue& queue = *process.queue;
    queue.add(process);
    Server* idle = queue.idle_server_for(process);
    if (idle != nullptr && idle != &Dispatcher::here())
        idle->wake();
}

} // namespace parley::sched

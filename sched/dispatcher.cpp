// SPDX-License-Identifier: MIT
#include "sched/dispatcher.hpp"

#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/registers.hpp"

namespace parley::sched {

namespace {

constinit Dispatcher* dispatchers = nullptr;
constinit unsigned dispatcher_count = 0;

} // namespace

void Dispatcher::set_dispatchers(Dispatcher* all, unsigned count)
{
    dispatchers = all;
    dispatcher_count = count;
}

unsigned Dispatcher::count() { return dispatcher_count; }
Dispatcher& Dispatcher::at(unsigned index) { return dispatchers[index]; }

void Dispatcher::start(arch::Processor& processor, ReadyQueue& queue)
{
    processor_ = &processor;
    serve(queue);
    idle_process_.name = "idle";
    idle_process_.on_processor.store(true, std::memory_order_relaxed);
    loaded_space_ = arch::kernel_table().root();
    processor.dispatcher = this;
    processor.current = &idle_process_;
    current_.store(&idle_process_, std::memory_order_relaxed);
}

void Dispatcher::idle()
{
    for (;;) {
        // The flag comes before the look at the queue, and make_ready queues before it looks at the flag; both pass through the
        // queue's lock, so one of the two sees the other and no wake-up is lost.
        idle_.store(true, std::memory_order_seq_cst);
        if (Process* next = queue().pop()) {
            idle_.store(false, std::memory_order_relaxed);
            switch_to(*next);
            continue;
        }
        arch::wait_for_interrupt();
        idle_.store(false, std::memory_order_relaxed);
    }
}

void Dispatcher::run_next()
{
    Process* next = queue().pop();
    switch_to(next != nullptr ? *next : idle_process_);
}

void Dispatcher::preempt()
{
    Process* next = queue().pop();
    if (next == nullptr)
        return;
    queue().push(current());
    switch_to(*next);
}

void Dispatcher::switch_to(Process& next)
{
    Process& previous = current();
    if (&next == &previous)
        return;
    // Pairs with finish_switch(): another processor may still be saving this process's context.
    while (next.on_processor.load(std::memory_order_acquire) && &next != &idle_process_)
        arch::pause();
    next.on_processor.store(true, std::memory_order_relaxed);
    ++next.switches;
    if (previous.floating_point != nullptr)
        arch::save_floating_point(*previous.floating_point);
    const PhysAddr space = next.address_space.value != 0 ? next.address_space : arch::kernel_table().root();
    // A processor holds a domain's table only while it runs a process of it, so a domain of one process needs no shoot-downs.
    if (space != loaded_space_) {
        loaded_space_ = space;
        arch::write_cr3(space.value);
    }
    arch::set_kernel_stack(*processor_, next.kernel_stack);
    processor_->current = &next;
    current_.store(&next, std::memory_order_relaxed);
    previous_ = &previous;
    if (next.floating_point != nullptr) {
        arch::write_msr(arch::Msr::fs_base, next.thread_pointer);
        arch::load_floating_point(*next.floating_point);
    }
    arch::switch_context(&previous.context, next.context);
    finish_switch();
}

void finish_switch()
{
    // Release: the saved context is whole before another processor may load it.
    Dispatcher::here().previous_->on_processor.store(false, std::memory_order_release);
}

void make_ready(Process& process)
{
    ReadyQueue& queue = *process.queue;
    queue.push(process);
    for (unsigned i = 0; i < dispatcher_count; ++i) {
        Dispatcher& dispatcher = dispatchers[i];
        if (&dispatcher.queue() != &queue || !dispatcher.idle_.load(std::memory_order_seq_cst))
            continue;
        if (!dispatcher.idle_.exchange(false, std::memory_order_seq_cst))
            continue;
        if (dispatcher.processor_ != &arch::this_processor())
            arch::send_interrupt(dispatcher.processor_->apic_id, WAKEUP_VECTOR);
        return;
    }
}

void interrupt_processor_of(const Process& process)
{
    for (unsigned i = 0; i < dispatcher_count; ++i) {
        Dispatcher& dispatcher = dispatchers[i];
        if (dispatcher.current_.load(std::memory_order_relaxed) == &process &&
            dispatcher.processor_ != &arch::this_processor())
            arch::send_interrupt(dispatcher.processor_->apic_id, WAKEUP_VECTOR);
    }
}

} // namespace parley::sched

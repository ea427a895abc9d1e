// SPDX-License-Identifier: MIT
#include "arch/x86_64/smp.hpp"

#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "arch/x86_64/page_table.hpp"
#include "arch/x86_64/registers.hpp"
#include "arch/x86_64/tlb.hpp"
#include "base/processor_time_points.hpp"
#include "base/spin_lock.hpp"

#include <atomic>

namespace parley::arch {

extern "C" char trampoline_start[], trampoline_end[], trampoline_stack[], trampoline_processor[],
    trampoline_table[];

namespace {

constinit std::atomic<unsigned> running{1};
constinit std::uint64_t emergency_stack_of_next = 0;

// One shoot-down at a time. A processor that waits for its turn, or for answers, answers others meanwhile and
// takes no other interrupt: a request to decide again would be lost, for what it runs cannot give way here.
constinit std::atomic<bool> shooting{false};
constinit std::atomic<unsigned> unanswered{0};

// All that run, in the order in which they were started; the first is the one that boots.
constinit Processor* processors[max_processors + 1] = {};

void put(const char* symbol, std::uint64_t value)
{
    const auto offset = static_cast<std::uint64_t>(symbol - trampoline_start);
    *to_pointer<std::uint64_t>(PhysAddr{TRAMPOLINE_ADDRESS + offset}) = value;
}

template <class Condition>
void wait_and_answer(const Condition& condition)
{
    if (condition())
        return;
    take_answered_interrupts_alone();
    do {
        enable_interrupts();
        __builtin_ia32_pause();
        disable_interrupts();
    } while (!condition());
    take_all_interrupts();
}

} // namespace

void start_other_processor(Processor& processor, std::uint64_t stack, std::uint64_t emergency_stack)
{
    auto* code = to_pointer<char>(PhysAddr{TRAMPOLINE_ADDRESS});
    for (std::ptrdiff_t i = 0; i < trampoline_end - trampoline_start; ++i)
        code[i] = trampoline_start[i];
    put(trampoline_stack, stack);
    put(trampoline_processor, reinterpret_cast<std::uint64_t>(&processor));
    put(trampoline_table, kernel_table().root().value);
    emergency_stack_of_next = emergency_stack;
    const unsigned before = running.load(std::memory_order_acquire);
    processors[0] = &this_processor();
    processors[before] = &processor;
    send_start(processor.apic_id);
    // Pairs with the increment in processor_main: its tables are loaded, the trampoline is free for the next.
    while (running.load(std::memory_order_acquire) == before)
        __builtin_ia32_pause();
}

extern "C" [[noreturn]] void processor_main(Processor* processor)
{
    start_processor(*processor, emergency_stack_of_next);
    enable_apic();
    running.fetch_add(1, std::memory_order_acq_rel);
    begin_modelled_time();
    on_processor_started(*processor);
}

unsigned running_processors() { return running.load(std::memory_order_relaxed); }

void forget_translations()
{
    const processor_time::Inside inside(Activity::cross_interrupt);
    write_cr3(read_cr3());
    unanswered.fetch_sub(1, std::memory_order_acq_rel);
}

namespace {

// A processor says which space it is about to load, and the load comes after that (cpu.hpp); the caller has
// changed the space's table before. So either what it says is seen here, or it finds the change.
bool another_runs_in(PhysAddr space)
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (unsigned i = 0; i < running_processors(); ++i) {
        if (processors[i] != nullptr && processors[i] != &this_processor() &&
            std::atomic_ref(processors[i]->loaded_space.value).load(std::memory_order_relaxed) == space.value)
            return true;
    }
    return false;
}

} // namespace

void shoot_down_translations_of(PhysAddr space)
{
    if (another_runs_in(space))
        shoot_down_translations();
    else
        write_cr3(read_cr3());
}

void shoot_down_translations()
{
    write_cr3(read_cr3());
    const unsigned others = running_processors() - 1;
    if (others == 0)
        return;
    wait_and_answer([] { return !shooting.exchange(true, std::memory_order_acquire); });
    // Release: the page-table stores before this call are seen by whoever answers.
    unanswered.store(others, std::memory_order_release);
    send_interrupt_to_others(TRANSLATION_VECTOR);
    wait_and_answer([] { return unanswered.load(std::memory_order_acquire) == 0; });
    shooting.store(false, std::memory_order_release);
}

} // namespace parley::arch

// SPDX-License-Identifier: MIT
#include "arch/x86_64/trap.hpp"

#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "arch/x86_64/smp.hpp"
#include "arch/x86_64/user_copy.hpp"

namespace parley::arch {

extern "C" char trap_stubs[];

CallHandlers call_handlers{};

namespace {

struct Gate {
    std::uint16_t low;
    std::uint16_t segment;
    std::uint8_t stack;
    std::uint8_t kind;
    std::uint16_t middle;
    std::uint32_t high;
    std::uint32_t reserved;
};

constexpr unsigned vectors = 256;
constexpr unsigned breakpoint_vector = 3;
constexpr std::uint64_t protection_vector = 13;
constexpr std::uint64_t page_fault_vector = 14;
constexpr std::uint8_t interrupt_gate = 0x8e;
constexpr std::uint8_t program_gate = 0xee; // a program's own instruction may go through it

constinit Gate table[vectors]{};

// Double fault, NMI and machine check come when the stack may be bad.
constexpr bool needs_emergency_stack(unsigned vector) { return vector == 2 || vector == 8 || vector == 18; }

} // namespace

void fill_trap_table()
{
    for (unsigned vector = 0; vector < vectors; ++vector) {
        const auto entry = reinterpret_cast<std::uint64_t>(trap_stubs) + vector * 16;
        table[vector] = {static_cast<std::uint16_t>(entry),
                         KERNEL_CODE,
                         static_cast<std::uint8_t>(needs_emergency_stack(vector) ? 1 : 0),
                         vector == breakpoint_vector ? program_gate : interrupt_gate,
                         static_cast<std::uint16_t>(entry >> 16),
                         static_cast<std::uint32_t>(entry >> 32),
                         0};
    }
}

void load_trap_table()
{
    struct [[gnu::packed]] {
        std::uint16_t limit;
        std::uint64_t base;
    } const pointer{sizeof table - 1, reinterpret_cast<std::uint64_t>(table)};
    asm volatile("lidt %0" ::"m"(pointer));
}

// An emergency may come between a user entry and its SWAPGS; then gs is still the user's and this processor's
// block unreachable.
static void find_processor_block()
{
    if (read_msr(Msr::gs_base) < DIRECT_MAP_BASE)
        asm volatile("swapgs");
}

static void handle_page_fault(TrapFrame& frame)
{
    const PageFault fault{
        {read_cr2()}, (frame.error & 2) != 0, (frame.error & 16) != 0, (frame.error & 4) != 0};
    on_page_fault(frame, fault);
}

extern "C" void handle_trap(TrapFrame& frame)
{
    switch (frame.vector) {
    case TIMER_VECTOR: acknowledge_interrupt(); return on_timer(frame);
    case WAKEUP_VECTOR: acknowledge_interrupt(); return on_wakeup(frame);
    case TRANSLATION_VECTOR: acknowledge_interrupt(); return forget_translations();
    case DEVICE_VECTOR: acknowledge_interrupt(); return on_device();
    case NETWORK_VECTOR: acknowledge_interrupt(); return on_network();
    case SPURIOUS_VECTOR: return;
    case CLOCK_READING_VECTOR: static_cast<void>(answer_clock_reading(frame)); return;
    case WAIT_VECTOR: return look_for_work(frame);
    case page_fault_vector: return handle_page_fault(frame);
    case protection_vector:
        if (frame.from_user() && answer_clock_reading(frame))
            return;
        return on_exception(frame);
    default:
        if (needs_emergency_stack(static_cast<unsigned>(frame.vector)))
            find_processor_block();
        on_exception(frame);
    }
}

} // namespace parley::arch

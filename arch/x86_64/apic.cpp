// SPDX-License-Identifier: MIT
#include "arch/x86_64/apic.hpp"

#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "arch/x86_64/processor.hpp"
#include "arch/x86_64/registers.hpp"

namespace parley::arch {

namespace {

enum class Register : unsigned {
    id = 0x20,
    task_priority = 0x80,
    end_of_interrupt = 0xb0,
    spurious = 0xf0,
    command_low = 0x300,
    command_high = 0x310,
    timer = 0x320,
    initial_count = 0x380,
    current_count = 0x390,
    divide = 0x3e0,
};

constexpr std::uint32_t pending = 1 << 12;
constexpr std::uint32_t all_others = 3 << 18;
constexpr std::uint32_t periodic = 1 << 17;
constexpr std::uint32_t masked = 1 << 16;
constexpr std::uint32_t divide_by_16 = 3;

constinit std::uintptr_t registers = 0;
constinit std::uint64_t ticks_per_millisecond = 0;

std::uint32_t read(Register which)
{
    return *reinterpret_cast<volatile std::uint32_t*>(registers + static_cast<unsigned>(which));
}

void write(Register which, std::uint32_t value)
{
    *reinterpret_cast<volatile std::uint32_t*>(registers + static_cast<unsigned>(which)) = value;
}

void command(std::uint32_t destination, std::uint32_t low)
{
    while ((read(Register::command_low) & pending) != 0)
        __builtin_ia32_pause();
    write(Register::command_high, destination << 24);
    write(Register::command_low, low);
}

} // namespace

void use_apic(std::uintptr_t address)
{
    registers = address;
    // The firmware leaves the legacy controller open; its interrupts would land on exception vectors.
    write_port(0x21, 0xff);
    write_port(0xa1, 0xff);
}

void enable_apic()
{
    constexpr std::uint32_t enabled = 0x100;
    write(Register::task_priority, 0);
    write(Register::spurious, enabled | SPURIOUS_VECTOR);
}

std::uint32_t apic_id() { return read(Register::id) >> 24; }

void acknowledge_interrupt() { write(Register::end_of_interrupt, 0); }

// The controller compares the upper four bits alone.
void take_answered_interrupts_alone() { write(Register::task_priority, FIRST_ANSWERED_VECTOR - 1); }

void take_all_interrupts() { write(Register::task_priority, 0); }

void send_interrupt(std::uint32_t destination, unsigned vector) { command(destination, vector); }

void send_interrupt_to_others(unsigned vector) { command(0, all_others | vector); }

void send_start(std::uint32_t destination)
{
    constexpr std::uint32_t init = 0x4500;
    constexpr std::uint32_t startup = 0x4600 | TRAMPOLINE_ADDRESS >> 12;
    command(destination, init);
    wait_nanoseconds(10'000);
    command(destination, startup);
}

void calibrate_timer()
{
    if (!has_ticks())
        return;
    constexpr std::uint64_t span = 1'000'000;
    write(Register::divide, divide_by_16);
    write(Register::timer, masked | TIMER_VECTOR);
    write(Register::initial_count, 0xffff'ffff);
    const std::uint64_t start = nanoseconds();
    while (nanoseconds() - start < span)
        __builtin_ia32_pause();
    // The timer before the clock, as at the start, so that both have counted for as long.
    const std::uint64_t ticks = 0xffff'ffff - read(Register::current_count);
    const std::uint64_t elapsed = nanoseconds() - start;
    ticks_per_millisecond = ticks * span / elapsed;
    write(Register::initial_count, 0);
}

void start_timer(std::uint64_t period_nanoseconds)
{
    if (has_ticks()) {
        write(Register::divide, divide_by_16);
        write(Register::timer, periodic | TIMER_VECTOR);
        write(Register::initial_count,
              static_cast<std::uint32_t>(ticks_per_millisecond * period_nanoseconds / 1'000'000));
    }
    this_processor().tick_period = period_nanoseconds;
    this_processor().next_tick = nanoseconds() + period_nanoseconds;
}

std::uint64_t take_tick()
{
    Processor& self = this_processor();
    const std::uint64_t now = nanoseconds();
    const std::uint64_t late = now > self.next_tick ? now - self.next_tick : 0;
    if (self.tick_period != 0)
        self.next_tick += (late / self.tick_period + 1) * self.tick_period; // those in between are lost
    return late;
}

void stop_timer() { write(Register::initial_count, 0); }

} // namespace parley::arch

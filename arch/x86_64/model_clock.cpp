// SPDX-License-Identifier: MIT
#include "arch/x86_64/model_clock.hpp"

#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/page_table.hpp"
#include "arch/x86_64/processor.hpp"
#include "arch/x86_64/registers.hpp"

namespace parley::arch {

namespace {

// As in tools/machine_model/plugin/guest_protocol.cpp.
struct ClockMailbox {
    std::uint64_t magic; // what the model lacks, when it has been asked for
    std::uint64_t time;  // nanoseconds, when the counter was read last
    std::uint64_t asked; // from then until the trap has answered the bytes of the instruction; else 0
};
constexpr std::uint64_t clock_and_ticks = 0x656d6954'79656c50;
constexpr std::uint64_t ticks_alone = 0x6b636954'6f4e7950;

volatile ClockMailbox& mailbox()
{
    return *to_pointer<volatile ClockMailbox>(PhysAddr{MODEL_MAILBOX_ADDRESS});
}

// The instructions that registers.hpp lists: where one lies, in the kernel's image.
extern "C" const std::uint64_t clock_readings_start[], clock_readings_end[];
extern "C" const std::uint64_t waits_start[], waits_end[];

constinit bool lacks_ticks = false;
constinit bool shows_clock = false; // in the mailbox

constexpr std::uint8_t software_interrupt = 0xcd;
constexpr std::uint8_t no_operation = 0x90;

std::uint8_t* writable(std::uint64_t in_image)
{
    return to_pointer<std::uint8_t>(PhysAddr{in_image - KERNEL_BASE});
}

void trap_at(std::uint64_t instruction, std::uint8_t vector)
{
    writable(instruction)[0] = software_interrupt;
    writable(instruction)[1] = vector;
}

} // namespace

void look_for_model_clock()
{
    mailbox().magic = 0;
    asm volatile("nopl 0x51fe0001(%%rax)" ::: "memory");
    const std::uint64_t lacking = mailbox().magic;
    shows_clock = lacking == clock_and_ticks;
    lacks_ticks = shows_clock || lacking == ticks_alone;
    if (!lacks_ticks)
        return;
    for (const std::uint64_t* wait = waits_start; wait != waits_end; ++wait) {
        trap_at(*wait, WAIT_VECTOR); // STI and HLT
        writable(*wait)[2] = no_operation;
    }
    if (shows_clock) {
        for (const std::uint64_t* reading = clock_readings_start; reading != clock_readings_end; ++reading)
            trap_at(*reading, CLOCK_READING_VECTOR);
        write_cr4(read_cr4() | cr4_time_stamp_disable);
    }
}

bool has_ticks() { return !lacks_ticks; }

bool traps_clock_readings() { return shows_clock; }

void begin_modelled_time()
{
    if (!lacks_ticks)
        return;
    // The model has the time begin behind the block that this ends, and what came before has no length.
    asm volatile("nopl 0x51fe0002(%%rax)\n\tjmp 1f\n1:" ::: "memory");
    Processor& self = this_processor();
    if (self.tick_period != 0)
        self.next_tick = nanoseconds() + self.tick_period;
}

bool answer_clock_reading(TrapFrame& frame)
{
    if (!shows_clock || mailbox().asked == 0)
        return false;
    constexpr std::uint64_t low_half = 0xffff'ffff;
    constexpr std::uint64_t bytes_of_rdtscp = 3;
    const std::uint64_t bytes = mailbox().asked;
    mailbox().asked = 0;
    const std::uint64_t time = mailbox().time;
    frame.rax = time & low_half;
    frame.rdx = time >> 32;
    if (bytes == bytes_of_rdtscp)
        frame.rcx = 0;     // what this kernel leaves in TSC_AUX
    if (frame.from_user()) // the kernel's trap lies before the next instruction already
        frame.instruction += bytes;
    return true;
}

void look_for_work(TrapFrame& frame)
{
    const Processor& self = this_processor();
    if (self.tick_period != 0 && nanoseconds() >= self.next_tick)
        on_timer(frame);
    enable_interrupts();
    disable_interrupts();
}

} // namespace parley::arch

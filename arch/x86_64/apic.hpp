// SPDX-License-Identifier: MIT
// The local interrupt controller: timer ticks and signals between processors.
#pragma once

#include "arch/x86_64/page_table.hpp"

#include <cstdint>

namespace parley::arch {

// Says where the controller's registers are mapped, and masks the legacy controller. Called once, before
// anything else here.
void use_apic(std::uintptr_t registers);
// Switches on the controller of the processor that runs this.
void enable_apic();
std::uint32_t apic_id();
void acknowledge_interrupt();
// Has this processor take no interrupt below FIRST_ANSWERED_VECTOR, or all of them again: those that came
// meanwhile are taken then.
void take_answered_interrupts_alone();
void take_all_interrupts();
// Raises `vector` on another processor, or on all others.
void send_interrupt(std::uint32_t apic_id, unsigned vector);
void send_interrupt_to_others(unsigned vector);
// Sends another processor INIT, then STARTUP at TRAMPOLINE_ADDRESS.
void send_start(std::uint32_t apic_id);
// Ticks of the controller's timer in `nanoseconds`, measured against the clock at boot; then periodic
// interrupts.
void calibrate_timer();
void start_timer(std::uint64_t period_nanoseconds);
void stop_timer();
// In the timer's interrupt: how many nanoseconds after it was due the processor took it, that is for how
// long at least interrupts were off. With instructions as the clock, and one processor at a time at work,
// this is exact; else the emulator's and the host's delays are in it.
std::uint64_t take_tick();

} // namespace parley::arch

// SPDX-License-Identifier: MIT
// What the kernel does where the model of its machine brings no ticks (docs/machine-model.md, BACK_END=public
// and fast-without-ticks). The model answers in a mailbox in low memory, and sees some instructions before
// they run, which mean nothing on any other machine.
//
// A processor with nothing to do looks for work again and again: so the one that keeps the time finds its
// tick due. Where the model cannot set the time-stamp counter either, that is read through a trap, by the
// kernel as by programs, so that no code differs from other boots; the model takes the trap for the one
// instruction, and leaves the time in the mailbox.
#pragma once

#include "arch/x86_64/trap.hpp"

namespace parley::arch {

// Called once, by the processor that boots, with traps loaded: from then on there are no ticks, if there is
// such a model.
void look_for_model_clock();
bool has_ticks();
// Whether each reading of the counter is to be a trap.
bool traps_clock_readings();

// Called by each processor when it has been started, by the one that boots after all others. The model runs
// processors in the order of their clocks from when all have called it.
void begin_modelled_time();

// The traps. The first is also a program's, and false if the program did not read the counter.
bool answer_clock_reading(TrapFrame& frame);
void look_for_work(TrapFrame& frame);

} // namespace parley::arch

// SPDX-License-Identifier: MIT
// What is done for QEMU's translator alone, and what each thing buys; a real processor asks for none of it.
// Only #define: the makefile reads this file too.
//
// Measured: the least time of a csend and crecv without bytes of a process to itself under exp6, in seven
// boots of 400 batches each, and of null messages between two processors (tools/bench.py null). What neither
// feels has no place here: kernel windows and the library at pages that do not meet in the translator's table
// of pages were not felt, and are gone.
#pragma once

// Functions of kernel, message library and libnx begin at multiples of this. The translator finds the target
// of each return and each virtual call in a table, by bits 0 to 11 of its address folded to six: functions
// that begin at cache lines of one page never evict each other. 450 ns with it, 502 ns without.
#define FUNCTION_ALIGNMENT 64

// PAUSE (pause.hpp) leaves the translated code, at about 100 ns, which doubles a ping-pong; without it,
// spinning processors that share a host core starve each other. So the boot chooses: none when every
// processor has a host core.

// String instructions cost about thirty times as much as moves of eight bytes: copy.S and
// base/copy.hpp use none.

// A bit that is known to be clear is added, not set (MessagePool::give_back): an `or` reads the cache line
// first and then takes it, an addition takes it once. Where that line's return is the delivery, in exp5, a
// null message of two processors takes 215 ns with it, 264 without.

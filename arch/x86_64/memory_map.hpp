// SPDX-License-Identifier: MIT
// The kernel's virtual memory map: the one place. Assembly and the linker script include it too, so only
// #define here.
//
//   from                  to                    what
//   0x0000000000010000    0x00007fffffff0000    user: the domain (places: interface/start_info.h)
//   0xffff800000000000    + 512 GiB             all physical memory, no execute
//   0xffff810000000000    + 512 GiB             windows of 64 GiB, no execute: 0 the kernel's, 1-7 jobs'
//   0xffffffff80000000    + 1 GiB               the kernel image: text, constants, data
#pragma once

#define DIRECT_MAP_BASE 0xffff800000000000
#define WINDOW_BASE 0xffff810000000000
#define WINDOW_BYTES 0x1000000000
#define WINDOW_COUNT 8
#define KERNEL_BASE 0xffffffff80000000
#define KERNEL_LOAD_ADDRESS 0x100000
#define TRAMPOLINE_ADDRESS 0x8000
#define MODEL_MAILBOX_ADDRESS 0x9000

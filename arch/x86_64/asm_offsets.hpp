// SPDX-License-Identifier: MIT
// What assembly knows of C++ objects; each is checked against the object in processor.cpp. Only #define:
// assembly includes it.
#pragma once

#define PROCESSOR_KERNEL_STACK 8
#define PROCESSOR_USER_STACK 16
#define TRAP_FRAME_CODE_SEGMENT 144
#define NUMBERED_CALL_COUNT 64
#define KERNEL_CODE 0x08
#define KERNEL_DATA 0x10
#define USER_DATA 0x1b
#define USER_CODE 0x23
#define TASK_STATE 0x28
#define TIMER_VECTOR 0x40
#define WAKEUP_VECTOR 0x41
#define DEVICE_VECTOR 0x42
#define NETWORK_VECTOR 0x43
#define CLOCK_READING_VECTOR 0x44
#define WAIT_VECTOR 0x45
// From here on what a processor answers also while it waits for others' answers (apic.hpp).
#define FIRST_ANSWERED_VECTOR 0x50
#define TRANSLATION_VECTOR 0x50
#define HALT_VECTOR 0x51
#define SPURIOUS_VECTOR 0xff

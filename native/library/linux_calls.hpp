// SPDX-License-Identifier: MIT
// Linux calls of x86-64 by their numbers: the library has no C library.
#pragma once

namespace parley::library {

enum class LinuxCall : long {
    protect = 10,
    set_signal_action = 13,
    return_from_signal = 15,
    yield = 24,
    pause = 34,
    get_process = 39,
    get_thread = 186,
    futex = 202,
    end_process = 231,
    signal_thread = 234,
};

inline long linux_call(LinuxCall call, long first = 0, long second = 0, long third = 0, long fourth = 0)
{
    register long r10 asm("r10") = fourth;
    long value = static_cast<long>(call);
    asm volatile("syscall"
                 : "+a"(value)
                 : "D"(first), "S"(second), "d"(third), "r"(r10)
                 : "rcx", "r11", "memory");
    return value;
}

} // namespace parley::library

// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include "native/interface/native_job.h"
#include "userlib/library/region.hpp"

namespace parley {

namespace {

// Linux calls of x86-64 by their numbers: the library has no C library.
enum : long { sched_yield_call = 24, getpid_call = 39, kill_call = 62, futex_call = 202 };
enum : long { futex_wait = 0, futex_wake = 1 };

long linux_call(long number, long first = 0, long second = 0, long third = 0, long fourth = 0)
{
    register long r10 asm("r10") = fourth;
    long value = number;
    asm volatile("syscall"
                 : "+a"(value)
                 : "D"(first), "S"(second), "d"(third), "r"(r10)
                 : "rcx", "r11", "memory");
    return value;
}

} // namespace

namespace platform {

void give_way()
{
    if (library::shares_processor())
        linux_call(sched_yield_call);
    else
        pause();
}

// Linux looks at the word and sleeps in one step. A signal ends the sleep too, so that handlers run.
bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    linux_call(futex_call, reinterpret_cast<long>(&word), futex_wait, static_cast<long>(expected));
    return true;
}

unsigned wake(std::atomic<std::uint32_t>& word, unsigned count)
{
    const long most = count > 0x7fffffffu ? 0x7fffffffl : static_cast<long>(count);
    const long woken = linux_call(futex_call, reinterpret_cast<long>(&word), futex_wake, most);
    return woken > 0 ? static_cast<unsigned>(woken) : 0;
}

// A rank that has just ended is no matter: nobody waits for the interruption.
void notify(unsigned endpoint)
{
    const auto& job = *reinterpret_cast<const parley_native_job*>(PARLEY_NATIVE_JOB_BASE);
    const int process = __atomic_load_n(&job.places[endpoint].process, __ATOMIC_ACQUIRE);
    if (process > 0)
        linux_call(kill_call, process, PARLEY_NATIVE_INTERRUPT);
}

} // namespace platform

} // namespace parley

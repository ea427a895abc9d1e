// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include "native/library/departure.hpp"
#include "native/library/linux_calls.hpp"
#include "userlib/library/region.hpp"

namespace parley {

namespace {

using library::linux_call;
using library::LinuxCall;

enum : long { futex_wait = 0, futex_wake = 1 };

// As Linux has it for the call.
struct Duration {
    std::int64_t seconds, nanoseconds;
};

// Linux looks at the word and sleeps in one step. What tells the process to end comes by a word and a signal,
// so the look at that word and the sleep are one step as well: a signal in between lets it go on behind the
// sleep (departure.cpp).
[[gnu::noinline, gnu::noclone]] void sleep(const std::uint32_t& told, const void* word,
                                           std::uint32_t expected, const Duration* longest = nullptr)
{
    register const Duration* timeout asm("r10") = longest;
    long value = static_cast<long>(LinuxCall::futex);
    asm volatile(".globl parley_before_sleep, parley_after_sleep\n"
                 "parley_before_sleep:\n\t"
                 "cmpl $0, %[told]\n\t"
                 "jne parley_after_sleep\n\t"
                 "syscall\n"
                 "parley_after_sleep:"
                 : "+a"(value)
                 : "D"(word), "S"(futex_wait), "d"(static_cast<long>(expected)),
                   "r"(timeout), [told] "m"(told)
                 : "rcx", "r11", "memory", "cc");
}

} // namespace

namespace library {

const parley_native_place& own_place()
{
    const auto& job = *reinterpret_cast<const parley_native_job*>(PARLEY_NATIVE_JOB_BASE);
    const auto process = static_cast<int>(linux_call(LinuxCall::get_process));
    unsigned index = 0;
    while (__atomic_load_n(&job.places[index].process, __ATOMIC_RELAXED) != process)
        ++index;
    return job.places[index];
}

bool must_end() { return must_end(own_place()); }

// On the word that says whether it must end, which nobody wakes by: the signal does.
bool sleep_for(std::uint64_t nanoseconds)
{
    constexpr std::uint64_t second = 1'000'000'000;
    const Duration longest{static_cast<std::int64_t>(nanoseconds / second),
                           static_cast<std::int64_t>(nanoseconds % second)};
    const auto& told = reinterpret_cast<const std::uint32_t&>(own_place().must_end);
    sleep(told, &told, 0, &longest);
    return !must_end();
}

} // namespace library

namespace platform {

void give_way()
{
    if (library::shares_processor())
        linux_call(LinuxCall::yield);
    else
        pause();
}

// Any signal ends the sleep, so that handlers run. While others depart who sleeps looks at its own word.
bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    if (library::somebody_departs()) {
        const parley_native_place& self = library::own_place();
        sleep(reinterpret_cast<const std::uint32_t&>(self.must_end), &word, expected);
    } else
        sleep(reinterpret_cast<const std::uint32_t&>(library::region_words().departing), &word, expected);
    return !library::somebody_departs() || !library::must_end();
}

unsigned wake(std::atomic<std::uint32_t>& word, unsigned count)
{
    const long most = count > 0x7fffffffu ? 0x7fffffffl : static_cast<long>(count);
    const long woken = linux_call(LinuxCall::futex, reinterpret_cast<long>(&word), futex_wake, most);
    return woken > 0 ? static_cast<unsigned>(woken) : 0;
}

// To the rank's first thread, whose number is the process's: handlers are for that one. A rank that has just
// ended is no matter: nobody waits for the interruption.
void notify(unsigned endpoint)
{
    const auto& job = *reinterpret_cast<const parley_native_job*>(PARLEY_NATIVE_JOB_BASE);
    const int process = __atomic_load_n(&job.places[endpoint].process, __ATOMIC_ACQUIRE);
    if (process > 0)
        linux_call(LinuxCall::signal_thread, process, process, PARLEY_NATIVE_INTERRUPT);
}

} // namespace platform

} // namespace parley

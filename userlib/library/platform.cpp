// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include "userlib/library/region.hpp"

namespace parley {

namespace {

// Registers: interface/proxies.h.
long process_call(parley_method method, const void* word, unsigned long argument)
{
    long value = method;
    long type = static_cast<long>(argument);
    asm volatile("syscall"
                 : "+a"(value), "+d"(type)
                 : "D"(static_cast<unsigned long>(library::process_proxy())), "S"(word)
                 : "rcx", "r8", "r10", "r11", "memory");
    return value;
}

} // namespace

namespace library {

constexpr long killed = -static_cast<long>(Error::killed); // what the kernel answers who must end

bool must_end() { return process_call(parley_method_process_null, nullptr, 0) == killed; }

} // namespace library

namespace platform {

void give_way()
{
    if (library::shares_processor())
        process_call(parley_method_process_yield, nullptr, 0);
    else
        pause();
}

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    return process_call(parley_method_process_block, &word, expected) != library::killed;
}

unsigned wake(std::atomic<std::uint32_t>& word, unsigned count)
{
    const long woken = process_call(parley_method_process_wake, &word, count);
    return woken > 0 ? static_cast<unsigned>(woken) : 0;
}

void notify(unsigned endpoint)
{
    process_call(parley_method_process_notify, reinterpret_cast<const void*>(std::uintptr_t{endpoint}), 0);
}

} // namespace platform

} // namespace parley

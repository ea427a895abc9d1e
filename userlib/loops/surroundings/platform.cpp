// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::platform {

void give_way() { sched_yield(); }

bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
    return true;
}

unsigned wake(Atomic<std::uint32_t>& word, unsigned count)
{
    const long woken = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
    return woken > 0 ? static_cast<unsigned>(woken) : 0;
}

} // namespace parley::platform

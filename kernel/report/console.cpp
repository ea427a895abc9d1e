// SPDX-License-Identifier: MIT
#include "kernel/report/console.hpp"

#include "arch/x86_64/registers.hpp"
#include "kernel/interface/results.h"

namespace parley::kernel {

namespace {

constinit Console the_console;

} // namespace

Console& console() { return the_console; }

void Console::write(std::string_view text)
{
    LockGuard guard(lock_);
    write_unlocked(text);
}

void Console::write_unlocked(std::string_view text)
{
    for (char character : text)
        arch::write_port(PARLEY_CONSOLE_PORT, static_cast<std::uint8_t>(character));
}

} // namespace parley::kernel

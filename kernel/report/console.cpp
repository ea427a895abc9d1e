// SPDX-License-Identifier: MIT
#include "kernel/report/console.hpp"

#include "arch/x86_64/registers.hpp"
#include "interface/results.h"

namespace parley::kernel {

namespace {

constinit Console the_console;

} // namespace

Console& console() { return the_console; }

void Console::start(PhysAddr screen)
{
    // The emulator's port reads as its own number, a port that nobody has as all ones.
    emulators_ = arch::read_port(PARLEY_CONSOLE_PORT) == PARLEY_CONSOLE_PORT;
    if (emulators_)
        return;
    screen_.start(screen);
    line_.start();
}

void Console::write(std::string_view text)
{
    LockGuard guard(lock_);
    write_unlocked(text);
}

void Console::write_unlocked(std::string_view text)
{
    if (!emulators_) {
        screen_.write(text);
        line_.write(text);
        return;
    }
    for (char character : text)
        arch::write_port(PARLEY_CONSOLE_PORT, static_cast<std::uint8_t>(character));
}

} // namespace parley::kernel

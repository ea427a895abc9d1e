// SPDX-License-Identifier: MIT
// The console: text for people. Whole pieces are written under a lock, so lines of different processors
// never mix.
#pragma once

#include "arch/x86_64/text_screen.hpp"
#include "base/spin_lock.hpp"

#include <string_view>

namespace parley::kernel {

class Console {
public:
    // `screen`: the PC's text screen, 0 for none. Without an emulator's console the text goes there, and to
    // the first serial line.
    void start(PhysAddr screen);
    bool is_emulators() const { return emulators_; }

    void write(std::string_view text);
    // Writes without the lock: for a panic, when whoever holds it will never give it back.
    void write_unlocked(std::string_view text);

private:
    SpinLock lock_;
    bool emulators_ = true;
    arch::TextScreen screen_;
    arch::SerialLine line_;
};

// There is one console, since it must be there before anything else and in every emergency.
Console& console();

} // namespace parley::kernel

// SPDX-License-Identifier: MIT
// The console: text for people. Whole pieces are written under a lock, so lines of different processors never
// mix.
#pragma once

#include "kernel/base/spin_lock.hpp"

#include <string_view>

namespace parley::kernel {

class Console {
public:
    void write(std::string_view text);
    // For a panic: whoever holds the lock will never return it.
    void write_unlocked(std::string_view text);

private:
    SpinLock lock_;
};

// The one console: it must be there before anything else and in every emergency.
Console& console();

} // namespace parley::kernel

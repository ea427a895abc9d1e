// SPDX-License-Identifier: MIT
// Which kind of semaphores a job has (--semaphore), as far as Linux can do without policy processes.
#pragma once

#include <string>

namespace parley::native {

struct SemaphoreChoice {
    std::string text; // with every argument
    bool spins;
    unsigned delay; // turns between two looks, of spin locks
};

// Throws BadRequest.
SemaphoreChoice choose_semaphore(const std::string& wanted);

} // namespace parley::native

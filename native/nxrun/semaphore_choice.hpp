// SPDX-License-Identifier: MIT
// Chooses the kind of semaphores that a job has (--semaphore). Linux has those that need no policy process.
#pragma once

#include <string>

namespace parley::native {

struct SemaphoreChoice {
    std::string text; // with every argument
    bool spins;
    unsigned delay; // of a spin lock, in rounds between two looks
};

// Throws BadRequest.
SemaphoreChoice choose_semaphore(const std::string& wanted);

} // namespace parley::native

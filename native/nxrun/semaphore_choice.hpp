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

// Reads a kind as users write it. Throws BadRequest, where there is none of that name here.
SemaphoreChoice choose_semaphore(const std::string& wanted);

} // namespace parley::native

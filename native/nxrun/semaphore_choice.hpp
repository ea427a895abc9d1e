// SPDX-License-Identifier: MIT
// Chooses the kind of semaphores that a job has (--semaphore): any that the kernel knows.
#pragma once

#include <string>
#include <vector>

namespace parley::native {

struct SemaphoreChoice {
    std::string text; // with every argument
    std::string name;
    std::vector<unsigned long> values; // of all its arguments
};

// Reads a kind as users write it. Throws BadRequest, where there is none of that name, or it takes no such
// arguments.
SemaphoreChoice choose_semaphore(const std::string& wanted);

} // namespace parley::native

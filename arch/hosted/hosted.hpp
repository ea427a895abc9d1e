// SPDX-License-Identifier: MIT
// How tests steer the hosted platform: ending a thread's waits as a kernel does when it ends a process, and
// lying about memory.
#pragma once

#include <atomic>
#include <cstddef>

namespace parley::hosted {

// One for each thread that stands for a process. It is current for the thread that made it.
class Process {
public:
    Process();
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // From any thread: the process must end; its waits return false from now on.
    void kill();
    bool is_killed() const { return killed_.load(std::memory_order_acquire); }

private:
    std::atomic<bool> killed_{false};
};

// The calling thread's process, or null.
Process* current_process();

// Bytes in this range are not the program's: user copies that touch it return bad_buffer. (0, 0) allows
// everything.
void forbid(const void* start, std::size_t bytes);

// After `pages` more pages populate() returns no_memory; a negative number means never.
void limit_population(long pages);

} // namespace parley::hosted

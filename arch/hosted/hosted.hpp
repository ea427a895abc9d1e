// SPDX-License-Identifier: MIT
// How tests steer the hosted platform: ending a thread's waits as a kernel does when it ends a process, and
// lying about memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::hosted {

// How a process sleeps by semaphores (platform::suspend). A process without one sleeps as the platform does
// it.
class WordSleep {
public:
    virtual bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected) = 0;
    virtual unsigned resume(std::atomic<std::uint32_t>& word, unsigned count) = 0;

protected:
    ~WordSleep() = default;
};

// One for each thread that stands for a process. It is current for the thread that made it.
class ProcessThread {
public:
    ProcessThread();
    ~ProcessThread();
    ProcessThread(const ProcessThread&) = delete;
    ProcessThread& operator=(const ProcessThread&) = delete;

    // The process must end; its waits return false from now on. Called by any thread.
    void kill();
    bool is_killed() const { return killed_.load(std::memory_order_acquire); }

    // Called by the process itself, before it sleeps.
    void sleep_by(WordSleep& how) { word_sleep_ = &how; }
    WordSleep* word_sleep() const { return word_sleep_; }

    // The process must end as soon as it has come that often, from now on, to a place where it may be told
    // so. Called by the process itself.
    void kill_after(unsigned steps) { steps_left_ = steps; }
    // The process has come to such a place. Called by the platform.
    void step()
    {
        if (steps_left_ != never && steps_left_-- == 0)
            kill();
    }

private:
    static constexpr unsigned never = ~0u;

    std::atomic<bool> killed_{false};
    WordSleep* word_sleep_ = nullptr;
    unsigned steps_left_ = never;
};

// The calling thread's process, or null.
ProcessThread* current_process();

// Bytes in this range are not the program's: user copies that touch it return bad_buffer. (0, 0) allows
// everything.
void forbid(const void* start, std::size_t bytes);

// After `pages` more pages populate() returns no_memory; a negative number means never.
void limit_population(long pages);

} // namespace parley::hosted

// SPDX-License-Identifier: MIT
// Processes of the hosted platform as threads, with an end: whoever waits for what never comes is killed, and
// the test says so instead of hanging.
#pragma once

#include "arch/hosted/hosted.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace parley::testing {

// Runs body(0), body(1), ... each as a process of its own. False: some had not ended after `limit` and were
// killed; their waits said so from then on.
inline bool all_end(unsigned count, std::chrono::seconds limit, const std::function<void(unsigned)>& body)
{
    std::mutex mutex;
    std::condition_variable changed;
    unsigned ended = 0;
    std::vector<hosted::Process*> processes(count, nullptr);
    std::vector<std::jthread> threads;
    for (unsigned number = 0; number < count; ++number)
        threads.emplace_back([&, number] {
            hosted::Process self;
            {
                const std::lock_guard guard(mutex);
                processes[number] = &self;
            }
            body(number);
            const std::lock_guard guard(mutex);
            processes[number] = nullptr;
            ++ended;
            changed.notify_all();
        });
    std::unique_lock guard(mutex);
    if (changed.wait_for(guard, limit, [&] { return ended == count; }))
        return true;
    for (hosted::Process* const process : processes)
        if (process != nullptr)
            process->kill();
    if (!changed.wait_for(guard, limit, [&] { return ended == count; })) {
        std::fputs("a wait goes on although its process must end, so this test cannot\n", stderr);
        std::abort(); // the test's name is printed
    }
    return false;
}

// The calling process has been killed: its loops end.
inline bool must_end()
{
    const hosted::Process* const self = hosted::current_process();
    return self != nullptr && self->is_killed();
}

} // namespace parley::testing

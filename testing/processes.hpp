// SPDX-License-Identifier: MIT
// Processes of the hosted platform as threads, with an end: whoever waits for what never comes is killed, and
// the test says so instead of hanging.
#pragma once

#include "arch/hosted/hosted.hpp"
#include "testing/fair_time.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace parley::testing {

// Runs body(0), body(1), ... each as a process of its own. False: none of those left got on for `limit` (see
// fair_time.hpp), and they were killed; their waits said so from then on.
inline bool all_end(unsigned count, std::chrono::milliseconds limit,
                    const std::function<void(unsigned)>& body)
{
    std::mutex mutex;
    std::condition_variable changed;
    unsigned ended = 0;
    std::vector<hosted::ProcessThread*> processes(count, nullptr);
    FairTime time;
    std::vector<std::jthread> threads;
    for (unsigned number = 0; number < count; ++number)
        threads.emplace_back([&, number] {
            hosted::ProcessThread self;
            {
                const std::lock_guard guard(mutex);
                processes[number] = &self;
                time.join();
            }
            body(number);
            const std::lock_guard guard(mutex);
            processes[number] = nullptr;
            time.leave();
            get_on();
            ++ended;
            changed.notify_all();
        });
    std::unique_lock guard(mutex);
    const auto all_end_in_time = [&] {
        const auto all_ended = [&] { return ended == count; };
        get_on();
        while (!changed.wait_for(guard, FairTime::tick, all_ended))
            if (time.without_progress() >= limit)
                return false;
        return true;
    };
    if (all_end_in_time())
        return true;
    for (hosted::ProcessThread* const process : processes)
        if (process != nullptr)
            process->kill();
    if (!all_end_in_time()) {
        std::fputs("a wait goes on although its process must end, so this test cannot\n", stderr);
        std::abort(); // the test's name is printed
    }
    return false;
}

// The calling process has been killed: its loops end.
inline bool must_end()
{
    const hosted::ProcessThread* const self = hosted::current_process();
    return self != nullptr && self->is_killed();
}

} // namespace parley::testing

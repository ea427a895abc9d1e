// SPDX-License-Identifier: MIT
// A clock for waits that may last for ever: it goes on only while every watched thread runs or sleeps of its
// own accord. What a busy host keeps from any of them does not count, so no limit comes for that reason.
#pragma once

#include <cstddef>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <list>
#include <string>

namespace parley::testing {

// A thread that gets on calls get_on(): a wait is judged by how long nobody has.
inline std::atomic<unsigned long> steps_of_progress{0};
inline void get_on() { steps_of_progress.fetch_add(1, std::memory_order_relaxed); }

// One mutex of its user's guards all of it.
class FairTime {
public:
    using Duration = std::chrono::nanoseconds;
    static constexpr std::chrono::milliseconds tick{50};

    // The thread itself calls both; it is watched in between.
    void join() { threads_.push_back({pthread_self(), gettid(), processor_time(pthread_self())}); }
    void leave()
    {
        std::erase_if(threads_, [](const Thread& thread) { return thread.id == gettid(); });
    }

    // Answers how long nobody has got on, although all could have. Called by the watcher, once a tick.
    Duration without_progress()
    {
        const auto now = std::chrono::steady_clock::now();
        const Duration passed = now - last_;
        last_ = now;
        Duration least = passed;
        for (Thread& thread : threads_)
            least = std::min(least, own_time(thread, passed));
        const unsigned long steps = steps_of_progress.load(std::memory_order_relaxed);
        idle_ = steps == steps_ ? idle_ + least : Duration{0};
        steps_ = steps;
        return idle_;
    }

private:
    struct Thread {
        pthread_t handle;
        pid_t id;
        Duration used;
    };

    static Duration processor_time(pthread_t thread)
    {
        clockid_t clock;
        timespec time{};
        if (pthread_getcpuclockid(thread, &clock) == 0)
            clock_gettime(clock, &time);
        return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
    }

    // What it has used, or all of it where it sleeps.
    static Duration own_time(Thread& thread, Duration passed)
    {
        const Duration used = processor_time(thread.handle);
        const Duration gained = used - thread.used;
        thread.used = used;
        return sleeps(thread.id) ? passed : std::min(passed, gained);
    }

    static bool sleeps(pid_t thread)
    {
        const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
        std::FILE* const file = std::fopen(path.c_str(), "r");
        if (file == nullptr)
            return false;
        char text[512] = {};
        const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
        std::fclose(file);
        text[length] = 0;
        const char* const name_end = std::strrchr(text, ')');
        return name_end != nullptr && std::strchr("SD", name_end[2]) != nullptr;
    }

    std::list<Thread> threads_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    Duration idle_{0};
    unsigned long steps_ = steps_of_progress.load(std::memory_order_relaxed);
};

} // namespace parley::testing

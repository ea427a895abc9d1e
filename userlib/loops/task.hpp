// SPDX-License-Identifier: MIT
// Work that a thread has put aside for any thread of its team that has time. A task is queued, then run, then
// done; it stays as long as children of it that are not done may look for it.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::loops {

struct ReductionBlock;
struct Settings;

// The tasks that a taskgroup waits for: those made in it, and theirs.
struct TaskGroup {
    TaskGroup* outer = nullptr;
    Atomic<std::uint32_t> left{0};
    ReductionBlock* reductions = nullptr; // the last that its tasks may take part in (reduction_blocks.hpp)
};

struct Task {
    using Body = void (*)(void* argument);

    Body body = nullptr;
    void* argument = nullptr;
    Task* parent = nullptr;
    TaskGroup* group = nullptr;
    const Settings* settings = nullptr;
    Settings* own_settings = nullptr; // the same; null: those that its team began with, which nobody changes
    bool final = false;
    std::uint32_t met = 0; // how often its team had met when the oldest task that it descends from was queued
    Atomic<std::uint32_t> children{0};   // not done
    Atomic<std::uint32_t> references{1}; // its own until it is done, and one for each child that exists

    Task *before = nullptr, *behind = nullptr; // in the queue
};

} // namespace parley::loops

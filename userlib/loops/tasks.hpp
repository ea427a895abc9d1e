// SPDX-License-Identifier: MIT
// The tasks of a team: one queue, from which threads take when they wait at a barrier, for their children or
// for a taskgroup. What is queued last goes first.
//
// A thread that waits inside a task runs children of that task alone, or members of the group that it waits
// for: so a task that is put off never waits for what lies under it on the same thread.
#pragma once

#include "userlib/loops/task.hpp"
#include "userlib/loops/wait/wait.hpp"
#include "userlib/loops/word_lock.hpp"

#include <cstddef>

namespace parley::loops {

class Tasks {
public:
    // Where more are open, a thread that makes a task should run it at once.
    static constexpr std::uint32_t many = 256;

    const Atomic<std::uint32_t>& queued() const { return queued_; }
    bool all_done() const { return open_.load(std::memory_order_acquire) == 0; }

    // Answers memory for a task with so many bytes of its own, and in `own` where these lie. Null: there is
    // none.
    static Task* make(std::size_t bytes, std::size_t alignment, void*& own);

    // Queues a task whose body, argument and final are set, as a child of `parent` and a member of `group`.
    void queue(Task& task, Task& parent, TaskGroup* group);

    // The task is a child that the parent runs at once, and that nobody waits for. Whoever has run it
    // releases it, and its settings with it.
    static void include(Task& task, Task& parent, TaskGroup* group);
    static void release(Task* task);

    // Each of these runs one queued task, as the calling thread's `current`. False: there is none of that
    // kind.
    bool run_any(Task*& current, TaskGroup*& group);
    bool run_child(Task*& current, TaskGroup*& group);
    bool run_member(Task*& current, TaskGroup*& group, const TaskGroup& of);

    // Each of these returns when nothing is left that it waits for, and runs some of that meanwhile.
    void await_children(Task*& current, TaskGroup*& group, Wait& wait);
    void await_group(Task*& current, TaskGroup*& group, TaskGroup& of, Wait& wait);
    void await_all(Task*& current, TaskGroup*& group, Wait& wait);

private:
    template <class Fits>
    Task* take(Fits fits);
    void run(Task& task, Task*& current, TaskGroup*& group);
    template <class Done, class Run>
    void await(Done done, Run run, Wait& wait);

    WordLock lock_;
    Task *first_ = nullptr, *last_ = nullptr; // the lock guards the queue; the last came last
    alignas(64) Atomic<std::uint32_t> queued_{0};
    Atomic<std::uint32_t> open_{0}; // queued, or being run
    Signal changed_;                // one was queued, or is done
};

} // namespace parley::loops

// SPDX-License-Identifier: MIT
#include "userlib/loops/tasks.hpp"

#include <cstdlib>
#include <new>

namespace parley::loops {

namespace {

bool is_member(const TaskGroup* group, const TaskGroup& of)
{
    for (; group != nullptr; group = group->outer)
        if (group == &of)
            return true;
    return false;
}

} // namespace

Task* Tasks::make(std::size_t bytes, std::size_t alignment, void*& own)
{
    void* const memory = std::malloc(sizeof(Task) + alignment + bytes);
    if (memory == nullptr)
        return nullptr;
    const std::uintptr_t behind = reinterpret_cast<std::uintptr_t>(memory) + sizeof(Task);
    own = reinterpret_cast<void*>((behind + alignment - 1) / alignment * alignment);
    return new (memory) Task();
}

void Tasks::include(Task& task, Task& parent, TaskGroup* group)
{
    task.parent = &parent;
    task.group = group;
    parent.references.fetch_add(1, std::memory_order_relaxed);
}

void Tasks::queue(Task& task, Task& parent, TaskGroup* group)
{
    include(task, parent, group);
    parent.children.fetch_add(1, std::memory_order_relaxed);
    for (TaskGroup* one = group; one != nullptr; one = one->outer)
        one->left.fetch_add(1, std::memory_order_relaxed);
    open_.fetch_add(1, std::memory_order_relaxed);
    {
        const Holding holding(lock_);
        task.before = last_;
        (last_ == nullptr ? first_ : last_->behind) = &task;
        last_ = &task;
        queued_.fetch_add(1, std::memory_order_seq_cst);
    }
    changed_.move_on();
}

template <class Fits>
Task* Tasks::take(Fits fits)
{
    if (queued_.load(std::memory_order_relaxed) == 0)
        return nullptr;
    const Holding holding(lock_);
    Task* task = last_;
    while (task != nullptr && !fits(*task))
        task = task->before;
    if (task == nullptr)
        return nullptr;
    (task->before == nullptr ? first_ : task->before->behind) = task->behind;
    (task->behind == nullptr ? last_ : task->behind->before) = task->before;
    queued_.fetch_sub(1, std::memory_order_relaxed);
    return task;
}

// What the task did is seen by who waits for it: each release here pairs with an acquire where that is looked
// at.
void Tasks::run(Task& task, Task*& current, TaskGroup*& group)
{
    Task* const before = current;
    TaskGroup* const group_before = group;
    current = &task;
    group = task.group;
    task.body(task.argument);
    current = before;
    group = group_before;
    for (TaskGroup *one = task.group, *outer = nullptr; one != nullptr; one = outer) {
        outer = one->outer; // it may be gone as soon as nothing is left in it
        one->left.fetch_sub(1, std::memory_order_release);
    }
    task.parent->children.fetch_sub(1, std::memory_order_release);
    release(&task);
    open_.fetch_sub(1, std::memory_order_release);
    changed_.move_on();
}

// The tasks that threads begin with lie in their own memory and never get there, for they keep their own
// reference.
void Tasks::release(Task* task)
{
    while (task->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        Task* const parent = task->parent;
        std::free(task->own_settings);
        std::free(task);
        task = parent;
    }
}

bool Tasks::run_any(Task*& current, TaskGroup*& group)
{
    Task* const task = take([](const Task&) { return true; });
    if (task != nullptr)
        run(*task, current, group);
    return task != nullptr;
}

bool Tasks::run_child(Task*& current, TaskGroup*& group)
{
    Task* const task = take([&](const Task& one) { return one.parent == current; });
    if (task != nullptr)
        run(*task, current, group);
    return task != nullptr;
}

bool Tasks::run_member(Task*& current, TaskGroup*& group, const TaskGroup& of)
{
    Task* const task = take([&](const Task& one) { return is_member(one.group, of); });
    if (task != nullptr)
        run(*task, current, group);
    return task != nullptr;
}

// Who waits for tasks looks for its own kind itself. The signal is read before it is looked at what it tells
// of.
template <class Done, class Run>
void Tasks::await(Done done, Run run, Wait& wait)
{
    NothingElse nothing;
    for (;;) {
        const std::uint32_t before = changed_.seen();
        if (done())
            return;
        if (!run())
            wait.until_moved(changed_, before, nothing);
    }
}

void Tasks::await_children(Task*& current, TaskGroup*& group, Wait& wait)
{
    await([&] { return current->children.load(std::memory_order_acquire) == 0; },
          [&] { return run_child(current, group); }, wait);
}

void Tasks::await_group(Task*& current, TaskGroup*& group, TaskGroup& of, Wait& wait)
{
    await([&] { return of.left.load(std::memory_order_acquire) == 0; },
          [&] { return run_member(current, group, of); }, wait);
}

void Tasks::await_all(Task*& current, TaskGroup*& group, Wait& wait)
{
    await([&] { return all_done(); }, [&] { return run_any(current, group); }, wait);
}

} // namespace parley::loops

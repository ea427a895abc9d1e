// SPDX-License-Identifier: MIT
#include "userlib/loops/cedar/cluster_tasks.hpp"

#include "userlib/loops/cedar/spread.hpp"
#include "userlib/loops/surroundings/threads.hpp"

#include <algorithm>

namespace parley::loops {

namespace {

constexpr int most_tasks = 64;

struct ClusterTask {
    std::atomic<bool> is_taken{false}, is_awaitable{false};
    std::atomic<const Member*> root{nullptr}; // its own thread, while its body runs
    unsigned cluster = 0;
    Crew::Body body = nullptr;
    void* data = nullptr;
    Thread thread;
    CommonBlocks blocks;
};
ClusterTask tasks[most_tasks];
CommonBlocks blocks_of_main;
std::atomic<int> running{0}; // how many have a root

void run_task(void* given)
{
    ClusterTask& task = *static_cast<ClusterTask*>(given);
    task.root.store(&detail::begin_thread(home_of_cluster(task.cluster)), std::memory_order_release);
    running.fetch_add(1, std::memory_order_release);
    task.body(task.data);
    task.blocks.drop_all();
    running.fetch_sub(1, std::memory_order_release);
    task.root.store(nullptr, std::memory_order_release);
}

const Member& root_of(const Member& member)
{
    const Member* root = &member;
    while (root->leader() != nullptr)
        root = root->leader();
    return *root;
}

// Null: it is of the main task.
ClusterTask* task_of(const Member& member)
{
    if (running.load(std::memory_order_acquire) == 0)
        return nullptr;
    const Member& root = root_of(member);
    const auto is_its = [&](const ClusterTask& task) {
        return task.root.load(std::memory_order_acquire) == &root;
    };
    auto* const found = std::find_if(std::begin(tasks), std::end(tasks), is_its);
    return found == std::end(tasks) ? nullptr : found;
}

ClusterTask* take_task()
{
    for (ClusterTask& task : tasks)
        if (!task.is_taken.exchange(true, std::memory_order_acquire))
            return &task;
    return nullptr;
}

} // namespace

int start_cluster_task(int cluster, Crew::Body body, void* data)
{
    if (cluster < 0 || static_cast<unsigned>(cluster) >= clusters())
        give_up("cedar_start_task() takes a cluster from 0 to one less than there are");
    ClusterTask* const task = take_task();
    if (task == nullptr)
        give_up("a program has at most 64 cluster tasks for which nobody has waited");
    task->cluster = static_cast<unsigned>(cluster);
    task->body = body;
    task->data = data;
    if (!start_thread(&run_task, task, {process().stack_bytes, -1, home_of_cluster(task->cluster)},
                      task->thread))
        give_up("the system makes no more threads");
    task->is_awaitable.store(true, std::memory_order_release);
    return static_cast<int>(task - tasks) + 1;
}

void await_cluster_task(int number)
{
    if (number < 1 || number > most_tasks ||
        !tasks[number - 1].is_awaitable.exchange(false, std::memory_order_acquire))
        give_up("cedar_await_task() takes the number of a task for which nobody has waited");
    ClusterTask& task = tasks[number - 1];
    if (task_of(this_thread()) == &task)
        give_up("a cluster task cannot wait for itself");
    await_end(task.thread);
    task.is_taken.store(false, std::memory_order_release);
}

bool is_in_cluster_task(const Member& member) { return task_of(member) != nullptr; }

unsigned cluster_of(const Member& member)
{
    if (const ClusterTask* const task = task_of(member); task != nullptr)
        return task->cluster;
    if (member.leader() == nullptr)
        return 0;
    const Member* outer = &member; // in the team of all clusters
    while (outer->leader()->leader() != nullptr)
        outer = outer->leader();
    return outer->number();
}

CommonBlocks& common_blocks_of(const Member& member)
{
    ClusterTask* const task = task_of(member);
    return task == nullptr ? blocks_of_main : task->blocks;
}

int home_of_cluster(unsigned cluster) { return are_the_machines() ? static_cast<int>(cluster) : no_home; }

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// Tasks. Dependences are kept by order: a task that has some is run by who makes it, when all that it has
// made before are done.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/openmp/task_reductions.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace parley::loops;

namespace {

// gcc's flags of a task.
enum : unsigned {
    final_flag = 1u << 1,
    depend_flag = 1u << 3,
    up_flag = 1u << 8,
    grainsize_flag = 1u << 9,
    if_flag = 1u << 10,
    nogroup_flag = 1u << 11,
    reduction_flag = 1u << 12,
    detach_flag = 1u << 13,
    strict_flag = 1u << 14,
};

using Copy = void (*)(void* to, void* from);

struct Given {
    Task::Body body;
    void* data;
    Copy copy; // null: bytes
    std::size_t bytes, alignment;
};

void copied(const Given& given, void* to)
{
    if (given.copy != nullptr)
        given.copy(to, given.data);
    else
        std::memcpy(to, given.data, given.bytes);
}

// Runs it now, with data of its own where these must be copied or changed.
template <class Change>
void run_now(Member& self, const Given& given, bool final, bool changes, Change change)
{
    void* data = given.data;
    const bool copies = changes || given.copy != nullptr;
    if (copies) {
        const std::size_t alignment = std::max(given.alignment, sizeof(void*));
        data = std::aligned_alloc(alignment, divided_up(given.bytes, alignment) * alignment);
        if (data == nullptr)
            give_up("there is no memory for a task");
        copied(given, data);
        change(data);
    }
    if (!self.run_at_once(given.body, data, final))
        give_up("there is no memory for a task");
    if (copies)
        std::free(data);
}

template <class Change>
void queue(Member& self, const Given& given, Change change)
{
    void* data = nullptr;
    Task* const task = Tasks::make(given.bytes, std::max<std::size_t>(given.alignment, 1), data);
    if (task == nullptr)
        return run_now(self, given, false, true, change);
    copied(given, data);
    change(data);
    task->body = given.body;
    task->argument = data;
    self.queue(*task);
}

void nothing(void*) { }

// The iterations of a taskloop, `count` of them from `start`.
template <class Integer>
struct Iterations {
    Integer start, end, step;
    std::uint64_t count;

    Integer called(std::uint64_t number) const
    {
        return number == count ? end
                               : static_cast<Integer>(static_cast<std::uint64_t>(start) +
                                                      number * static_cast<std::uint64_t>(step));
    }
};

// Of a taskloop with reductions: behind its bounds in its tasks' data.
template <class Integer>
ReductionBlock* reductions_of(const Given& given)
{
    struct Head {
        Integer bounds[2];
        ReductionBlock* reductions;
    };
    return static_cast<Head*>(given.data)->reductions;
}

// `tasks` is how many there should be, or how many iterations each should have, as the flags say. A task's
// data begin with where its iterations begin and end.
template <class Integer>
void taskloop(const Given& given, unsigned flags, std::uint64_t tasks, const Iterations<Integer>& all)
{
    Member& self = this_thread();
    const bool has_group = (flags & nogroup_flag) == 0;
    ReductionBlock* const reductions =
        has_group && (flags & reduction_flag) != 0 ? reductions_of<Integer>(given) : nullptr;
    if (all.count == 0) {
        if (reductions != nullptr)
            reductions->copies = 0; // by which gcc sees that there are no copies to add up
        return;
    }
    TaskGroup group;
    if (has_group)
        self.begin_group(group);
    if (reductions != nullptr)
        begin_own_reductions(self, *reductions);
    if (tasks == 0)
        tasks = self.team().threads();
    // Of a task; the first `more` have one more. None has fewer than its grain says, nor twice as many.
    std::uint64_t each = tasks, more = 0;
    const bool has_grain = (flags & grainsize_flag) != 0;
    if (!has_grain || (flags & strict_flag) == 0) {
        const std::uint64_t parts =
            has_grain ? std::max<std::uint64_t>(all.count / tasks, 1) : std::min(tasks, all.count);
        each = all.count / parts;
        more = all.count % parts;
    }
    const bool final = (flags & final_flag) != 0,
               at_once = (flags & if_flag) == 0 || final || self.task().final;
    for (std::uint64_t first = 0, behind = 0; first < all.count; first = behind) {
        behind = first + std::min(each + (more != 0), all.count - first);
        more -= more != 0;
        const Integer bounds[] = {all.called(first), all.called(behind)};
        const auto tell = [&](void* data) { std::memcpy(data, bounds, sizeof bounds); };
        if (at_once || !self.should_queue())
            run_now(self, given, final, true, tell);
        else
            queue(self, given, tell);
    }
    if (has_group)
        self.end_group();
}

} // namespace

extern "C" {

void GOMP_task(Task::Body body, void* data, Copy copy, long bytes, long alignment, bool may_wait,
               unsigned flags, void**, int, void*)
{
    if ((flags & detach_flag) != 0)
        not_served("a task with detach()");
    Member& self = this_thread();
    const Given given{body, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment)};
    const bool final = (flags & final_flag) != 0;
    if ((flags & depend_flag) != 0) {
        self.await_children();
        may_wait = false;
    }
    if (!may_wait || final || self.task().final || !self.should_queue())
        run_now(self, given, final, false, nothing);
    else
        queue(self, given, nothing);
}

void GOMP_taskwait() { this_thread().await_children(); }
void GOMP_taskwait_depend(void**) { this_thread().await_children(); }
void GOMP_taskyield() { }

void GOMP_taskgroup_start()
{
    auto* const group = static_cast<TaskGroup*>(std::malloc(sizeof(TaskGroup)));
    if (group == nullptr)
        give_up("there is no memory for a taskgroup");
    this_thread().begin_group(*new (group) TaskGroup());
}
void GOMP_taskgroup_end() { std::free(&this_thread().end_group()); }

void GOMP_taskloop(Task::Body body, void* data, Copy copy, long bytes, long alignment, unsigned flags,
                   unsigned long tasks, int, long start, long end, long step)
{
    const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(end);
    const auto by = static_cast<std::uint64_t>(step);
    const std::uint64_t count = step > 0 ? (start < end ? divided_up(to - from, by) : 0)
                                         : (start > end ? divided_up(from - to, -by) : 0);
    taskloop({body, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment)}, flags,
             tasks, Iterations<long>{start, end, step, count});
}

void GOMP_taskloop_ull(Task::Body body, void* data, Copy copy, long bytes, long alignment, unsigned flags,
                       unsigned long tasks, int, unsigned long long start, unsigned long long end,
                       unsigned long long step)
{
    const std::uint64_t count = (flags & up_flag) != 0 ? (start < end ? divided_up(end - start, step) : 0)
                                                       : (start > end ? divided_up(start - end, -step) : 0);
    taskloop({body, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment)}, flags,
             tasks, Iterations<unsigned long long>{start, end, step, count});
}

} // extern "C"

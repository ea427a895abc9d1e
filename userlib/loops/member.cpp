// SPDX-License-Identifier: MIT
#include "userlib/loops/member.hpp"

#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/watch.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace parley::loops {

void Member::join(Team& team, const Settings& settings)
{
    team_ = &team;
    progress_ = &team.progress(number_, *this);
    progress_->met += progress_->has_finished;
    progress_->has_finished = false;
    watch(team.threads() > 1 ? &team.tasks().queued() : nullptr);
    task_ = &implicit_;
    implicit_.settings = &settings;
    implicit_.own_settings = nullptr;
    if (leader_ != nullptr) {
        level_ = leader_->level_ + 1;
        active_level_ = leader_->active_level_ + (team.threads() > 1);
    }
}

void Member::meet()
{
    if (watched_ != nullptr) [[unlikely]]
        during(*watched_, ThreadActivity::barrier, 0, [&] { come_together(); });
    else
        come_together();
}

// All agree on whether there were tasks: a thread has met the others once more only when it has looked, and,
// where there were any, when all have.
void Member::come_together()
{
    if (team_->threads() != 1) {
        team_->meet(number_, *this);
        if (team_->had_tasks(progress_->met)) {
            team_->tasks().await_all(task_, group_, team_->wait());
            team_->meet(number_, *this);
        }
    }
    ++progress_->met;
}

// A thread that has come runs tasks of this body until it joins another.
void Member::finish()
{
    progress_->has_finished = true;
    if (team_->threads() == 1)
        return;
    if (watched_ != nullptr) [[unlikely]]
        watched_->note(ThreadActivity::barrier);
    team_->gather(number_, *this);
    if (number_ == 0 && team_->had_tasks(progress_->met))
        team_->tasks().await_all(task_, group_, team_->wait());
}

void Member::enter_loop(const LoopPlan& plan)
{
    if (watched_ != nullptr) [[unlikely]]
        during(*watched_, ThreadActivity::set_up, plan.count, [&] { open_loop(plan); });
    else
        open_loop(plan);
}

void Member::open_loop(const LoopPlan& plan)
{
    const std::uint64_t after = progress_->loops++;
    loop_ = &team_->loop(after);
    NothingElse nothing;
    loop_->enter(Team::use(after), plan, team_->wait(), nothing);
    begin_loop(number_);
}

void Member::find_loop()
{
    loop_ = &team_->loop(progress_->loops++);
    begin_loop(number_);
}

void Member::share_loop(Loop& loop, unsigned number)
{
    loop_ = &loop;
    begin_loop(number);
}

void Member::begin_loop(unsigned number)
{
    number_in_loop_ = number;
    cursor_ = {};
    has_turns_ = loop_->plan().ordered;
    posts_ = nullptr;
    is_plain_ = !has_turns_ && watched_ == nullptr;
    has_turn_ = is_in_region_ = false;
    turns_left_ = 0;
}

bool Member::next_chunk_of_others(Chunk& chunk)
{
    if (watched_ == nullptr)
        return take_chunk(chunk);
    watched_->note(ThreadActivity::pick_up);
    const bool found = take_chunk(chunk);
    watched_->note(ThreadActivity::iterations, found ? chunk.end - chunk.first : 0);
    return found;
}

bool Member::take_chunk(Chunk& chunk)
{
    if (posts_ != nullptr)
        return take_chunk_of_nest(chunk);
    return has_turns_ ? take_chunk_in_turn(chunk) : loop_->next(number_in_loop_, cursor_, chunk);
}

// Nobody waits for iterations that have ended without a word.
bool Member::take_chunk_of_nest(Chunk& chunk)
{
    posts_->post_all(chunk_);
    const bool found = loop_->next(number_in_loop_, cursor_, chunk);
    chunk_ = found ? chunk : Chunk{};
    return found;
}

void* Member::share_posts(std::span<const std::uint64_t> counts, std::size_t bytes)
{
    constexpr std::size_t alignment = alignof(std::max_align_t);
    std::size_t own = IterationPosts::bytes(counts), all = 0;
    if (own == 0 || __builtin_add_overflow(own, bytes + alignment, &all))
        return nullptr;
    own = (own + alignment - 1) / alignment * alignment;
    void* const memory = shared_memory(all, [&](void* made) { IterationPosts::make(made, counts); });
    if (memory == nullptr)
        return nullptr;
    posts_ = static_cast<IterationPosts*>(memory);
    is_plain_ = false;
    chunk_ = {};
    return static_cast<std::byte*>(memory) + own;
}

bool Member::await_post(std::span<const std::uint64_t> iteration)
{
    if (posts_->has(iteration))
        return true;
    if (iteration[0] >= chunk_.first)
        return false;
    NothingElse nothing;
    const auto await = [&] { posts_->await(iteration, team_->wait(), nothing); };
    if (watched_ != nullptr) [[unlikely]]
        during(*watched_, ThreadActivity::turn_wait, 0, await);
    else
        await();
    return true;
}

// A chunk that has gone through the region as often as it has iterations has passed its turn on.
bool Member::take_chunk_in_turn(Chunk& chunk)
{
    if (turns_left_ != 0) {
        await_own_turn();
        loop_->turns().pass(chunk_);
    }
    has_turn_ = is_in_region_ = false;
    const bool found = loop_->next(number_in_loop_, cursor_, chunk);
    chunk_ = chunk;
    turns_left_ = found ? chunk.end - chunk.first : 0;
    return found;
}

bool Member::await_turn()
{
    if (!has_turns_ || turns_left_ == 0)
        return false;
    await_own_turn();
    is_in_region_ = true;
    return true;
}

void Member::await_own_turn()
{
    if (has_turn_)
        return;
    NothingElse nothing;
    const auto await = [&] { loop_->turns().await(chunk_, team_->wait(), nothing); };
    if (watched_ != nullptr) [[unlikely]]
        during(*watched_, ThreadActivity::turn_wait, 0, await);
    else
        await();
    has_turn_ = true;
}

// The chunk keeps its turn for the iterations of it that follow.
void Member::end_turn()
{
    if (!is_in_region_)
        return;
    is_in_region_ = false;
    if (--turns_left_ == 0)
        loop_->turns().pass(chunk_);
}

void Member::leave_loop()
{
    loop_->leave();
    loop_ = nullptr;
}

// One that waits at a meeting may run a task that others have queued behind it, and so what that queues
// belongs to the later meeting. Whoever sleeps looks again behind the queueing.
void Member::queue(Task& task)
{
    give_settings(task);
    task.met = met_by_task();
    team_->note_task(task.met);
    team_->tasks().queue(task, *task_, group_);
    team_->rouse();
}

// A thread that works on tasks while it waits is not counted as waiting for that time.
void Member::work()
{
    if (watched_ == nullptr) [[likely]] {
        team_->tasks().run_any(task_, group_);
        return;
    }
    const ThreadActivity before = watched_->activity();
    watched_->note(ThreadActivity::iterations, 1);
    team_->tasks().run_any(task_, group_);
    watched_->note(before);
}

// What it makes may last longer than the body.
bool Member::run_at_once(Task::Body body, void* argument, bool final, const Settings* settings)
{
    void* own = nullptr;
    Task* const task = Tasks::make(0, 1, own);
    if (task == nullptr)
        return false;
    task->final = final || task_->final;
    task->met = met_by_task();
    if (settings != nullptr) {
        task->settings = settings;
        give_own_settings(*task);
    } else {
        give_settings(*task);
    }
    Tasks::include(*task, *task_, group_);
    Task* const before = task_;
    task_ = task;
    body(argument);
    task_ = before;
    Tasks::release(task);
    return true;
}

// They begin as those that it has. No place: in memory that is given back with the task.
void Member::give_own_settings(Task& task, Settings* place)
{
    if (place == nullptr)
        place = static_cast<Settings*>(std::malloc(sizeof(Settings)));
    if (place == nullptr)
        give_up("there is no memory for what a task sets");
    task.settings = task.own_settings = new (place) Settings(*task.settings);
}

void Member::set_threads(unsigned threads)
{
    Settings& own = own_settings();
    own.threads = std::min(threads, most_threads);
    own.level = level_;
}

// What is set on a level holds below it, but for the levels that the list has numbers for.
unsigned Member::threads_of_level(const Settings& set) const
{
    const std::size_t level = std::min<std::size_t>(level_, set.threads_of_levels.size() - 1);
    return set.level >= level ? set.threads : set.threads_of_levels[level];
}

TaskGroup& Member::end_group()
{
    TaskGroup& group = *group_;
    if (group.left.load(std::memory_order_acquire) != 0)
        team_->tasks().await_group(task_, group_, group, team_->wait());
    group_ = group.outer;
    return group;
}

} // namespace parley::loops

// SPDX-License-Identifier: MIT
#include "userlib/loops/member.hpp"

namespace parley::loops {

void Member::join(Team& team, const Settings& settings)
{
    team_ = &team;
    place_ = &team.place(number_, *this);
    place_->met += place_->has_finished;
    place_->has_finished = false;
    watch(team.threads() > 1 ? &team.tasks().queued() : nullptr);
    task_ = &implicit_;
    settings_ = &settings;
    if (leader_ != nullptr) {
        level_ = leader_->level_ + 1;
        active_level_ = leader_->active_level_ + (team.threads() > 1);
    }
}

// All agree on whether there were tasks: a thread has met the others once more only when it has looked, and,
// where there were any, when all have.
void Member::meet()
{
    if (team_->threads() != 1) {
        team_->barrier().meet(number_, *this);
        if (team_->had_tasks(place_->met)) {
            team_->tasks().await_all(task_, group_, team_->wait());
            team_->barrier().meet(number_, *this);
        }
    }
    ++place_->met;
}

// A thread that has come runs tasks of this body until it joins another.
void Member::finish()
{
    place_->has_finished = true;
    if (team_->threads() == 1)
        return;
    team_->barrier().gather(number_, *this);
    if (number_ == 0 && team_->had_tasks(place_->met))
        team_->tasks().await_all(task_, group_, team_->wait());
}

void Member::enter_loop(const LoopPlan& plan)
{
    const std::uint32_t after = place_->loops++;
    loop_ = &team_->loop(after);
    NothingElse nothing;
    loop_->enter(Team::use(after), plan, team_->wait(), nothing);
    begin_loop();
}

void Member::find_loop()
{
    loop_ = &team_->loop(place_->loops++);
    begin_loop();
}

void Member::begin_loop()
{
    cursor_ = {};
    has_turns_ = loop_->plan().ordered;
    has_turn_ = false;
    turns_left_ = 0;
}

// A chunk that has gone through the region as often as it has iterations has passed its turn on.
bool Member::next_chunk(Chunk& chunk)
{
    if (!has_turns_)
        return loop_->next(number_, cursor_, chunk);
    if (turns_left_ != 0) {
        await_turn();
        loop_->turns().pass(chunk_);
    }
    has_turn_ = false;
    const bool found = loop_->next(number_, cursor_, chunk);
    chunk_ = chunk;
    turns_left_ = found ? chunk.end - chunk.first : 0;
    return found;
}

bool Member::await_turn()
{
    if (!has_turns_ || turns_left_ == 0)
        return false;
    NothingElse nothing;
    if (!has_turn_)
        loop_->turns().await(chunk_, team_->wait(), nothing);
    has_turn_ = true;
    return true;
}

void Member::end_turn()
{
    if (has_turn_ && turns_left_ != 0 && --turns_left_ == 0)
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
    task.met = met_by_task();
    team_->note_task(task.met);
    team_->tasks().queue(task, *task_, group_);
    team_->rouse();
}

// What it makes may last longer than the body.
bool Member::run_at_once(Task::Body body, void* argument, bool final)
{
    void* own = nullptr;
    Task* const task = Tasks::make(0, 1, own);
    if (task == nullptr)
        return false;
    task->final = final || task_->final;
    task->met = met_by_task();
    Tasks::include(*task, *task_, group_);
    Task* const before = task_;
    task_ = task;
    body(argument);
    task_ = before;
    Tasks::release(task);
    return true;
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

// SPDX-License-Identifier: MIT
// A thread as a member of a team: its number, where it is among the team's loops and meetings, and what it
// works at. All calls are the thread's own.
#pragma once

#include "userlib/loops/team.hpp"

namespace parley::loops {

class Crew;

// What a program may set for a thread and those that it starts.
struct Settings {
    unsigned threads = 1; // of a team that does not say how many
    unsigned level = 0;   // of the task that has set that number, for itself and the levels below
    // What OMP_NUM_THREADS says for each level, and with its last number for all below; empty: it is no list.
    std::span<const unsigned> threads_of_levels;
    unsigned most_threads = loops::most_threads; // of any team
    unsigned most_active_levels = 1;
    int device = 0;               // for constructs that name none
    std::uintptr_t allocator = 1; // for memory whose allocator is not named
    bool dynamic = false;
    bool monotonic = false;           // of `runtime`
    Chosen<DistributionKind> runtime; // how loops are handed out that leave it to whoever runs the program
    int runtime_kind = 1, runtime_chunk = 0; // the same as OpenMP's calls say it
};

class alignas(line_bytes) Member final : public Meanwhile {
public:
    // Makes the member of that number in a crew, under the member `leader`, which leads the crew; null: it is
    // in no crew.
    Member(unsigned number, Member* leader, int home = no_home)
        : number_(number), home_(home), leader_(leader)
    {
    }

    // The thread itself calls this before anything else.
    void watch_this_thread() { watched_ = Watch::this_thread(home_ == no_home ? 0 : home_); }
    // Called before each body. The settings stay as they are until the body ends.
    void join(Team& team, const Settings& settings);

    Team& team() { return *team_; }
    unsigned number() const { return number_; }
    // Null: nobody watches this thread.
    NotingThread* watched() const { return watched_; }
    Member* leader() const { return leader_; }
    // The member's home, a cluster of the machine: the team that it leads lies there.
    int home() const { return home_; }
    // From now on each member that joins the crew which this one leads has a cluster of its own as its home.
    void lead_clusters() { leads_clusters_ = true; }
    bool leads_clusters() const { return leads_clusters_; }
    unsigned level() const { return level_; }
    unsigned active_level() const { return active_level_; }
    // The settings of the task that the member runs.
    const Settings& settings() const { return *task_->settings; }
    // Settings that are the task's own from now on, until it ends; and those of the tasks that it makes.
    Settings& own_settings()
    {
        if (task_->own_settings == nullptr)
            give_own_settings(*task_, task_ == &implicit_ ? &own_settings_ : nullptr);
        return *task_->own_settings;
    }
    // How many threads a team has that does not say how many.
    unsigned threads_as_set() const
    {
        const Settings& set = settings();
        return set.threads_of_levels.empty() ? set.threads : threads_of_level(set);
    }
    void set_threads(unsigned threads);

    // Returns when all of the team have called it, and all tasks are done.
    void meet();
    // The end of a body: number 0 returns when all have called it, and all tasks are done; it may return to
    // others at once.
    void finish();
    // Whether it is the first of its team to come to this `single` region.
    bool is_first() { return team_->is_first(progress_->singles++); }

    // Comes to the next loop of the team.
    void enter_loop(const LoopPlan& plan);
    // As enter_loop(), by thread number 0 for its whole team, before the body: then the loop is set up.
    void open_loop(const LoopPlan& plan);
    // Comes to a loop that number 0 has entered for all before the body.
    void find_loop();
    // Comes to a loop that several teams share, entered for all of them, as thread `number` of it. It
    // leaves without leave_loop().
    void share_loop(Loop& loop, unsigned number);
    void leave_shared_loop() { loop_ = nullptr; }
    // Answers the loop's next chunk for this thread, by the numbers of its iterations. False: there is none.
    bool next_chunk(Chunk& chunk)
    {
        return is_plain_ ? loop_->next(number_in_loop_, cursor_, chunk) : next_chunk_of_others(chunk);
    }
    // Calls use(chunk) with each chunk, until there are none.
    template <class Use>
    void each_chunk(Use use)
    {
        if (is_plain_)
            return loop_->each(number_in_loop_, cursor_, use);
        for (Chunk chunk{}; next_chunk_of_others(chunk);)
            use(chunk);
    }
    const LoopPlan& plan() const { return loop_->plan(); }
    // As Loop::shared_memory(), of the loop that it is in.
    void* shared_memory(std::size_t bytes)
    {
        return shared_memory(bytes, [](void*) { });
    }
    // Says of the loop that it has come to that it is the outermost of a nest whose iterations wait for each
    // other. The loop's shared memory has their posts, and behind these so many bytes for something else,
    // whose address it answers. Null: there is no memory.
    void* share_posts(std::span<const std::uint64_t> counts, std::size_t bytes);
    // Posts an iteration of such a nest: whoever waits for it goes on.
    void post(std::span<const std::uint64_t> iteration) { posts_->post(iteration); }
    // One that another thread has is posted when that thread is through with its chunk, at the latest, as are
    // those of the chunks that this thread had before. False: nobody could post it while this thread waits:
    // it is not before the thread's own, or it is of the same chunk and has ended without post().
    bool await_post(std::span<const std::uint64_t> iteration);
    // How many numbers an iteration has.
    unsigned nested_loops() const { return posts_->loops(); }
    // As Loop::first_reductions(), of the loop that it is in.
    template <class Begin>
    ReductionBlock& first_reductions(ReductionBlock& own, Begin begin)
    {
        NothingElse nothing;
        return loop_->first_reductions(own, begin, team_->wait(), nothing);
    }
    void leave_loop();
    // Enters the ordered region with its chunk, when the chunks before are through. False: the loop has no
    // such region, or the chunk has been through.
    bool await_turn();
    // Leaves the region. Called once for each iteration at most.
    void end_turn();
    bool has_turns() const { return loop_ != nullptr && has_turns_; }
    // Whether it is between await_turn() and end_turn().
    bool is_in_region() const { return is_in_region_; }
    // How often its chunk has been through the region.
    std::uint64_t turns_had() const { return has_turns() ? chunk_.end - chunk_.first - turns_left_ : 0; }

    // Makes the task that it is in the parent of one more; Tasks::make() has made it.
    void queue(Task& task);
    bool should_queue() const
    {
        return team_->threads() > 1 && team_->tasks().queued().load(std::memory_order_relaxed) < Tasks::many;
    }
    // Runs a body at once, as a task of its own, which begins with these settings; null: with the caller's.
    // False: there is no memory.
    bool run_at_once(Task::Body body, void* argument, bool final, const Settings* settings = nullptr);
    Task& task() { return *task_; }
    void await_children() { team_->tasks().await_children(task_, group_, team_->wait()); }
    void begin_group(TaskGroup& group)
    {
        group.outer = group_;
        if (group_ != nullptr)
            group.reductions = group_->reductions;
        group_ = &group;
    }
    // The innermost that it is in; null: none.
    TaskGroup* group() const { return group_; }
    // Where all members of a team are in one group throughout a body: at its beginning; null at its end.
    void share_group(TaskGroup* group) { group_ = group; }
    // Returns when all tasks of the group that was begun last are done, and all that these have made; answers
    // that group.
    TaskGroup& end_group();

    void work() override;

    Crew* crew = nullptr; // that it leads
    // What the thread is where it runs something as an initial thread of its own; null: it has not yet.
    Member* apart = nullptr;
    // How many teams the construct `teams` has made, and which of them this member runs; one that has a
    // leader does not use them.
    unsigned teams = 1, team_number = 0;

private:
    static void give_own_settings(Task& task, Settings* place = nullptr);
    void give_settings(Task& task) const
    {
        task.settings = task_->settings;
        if (task_->own_settings != nullptr) [[unlikely]]
            give_own_settings(task);
    }
    unsigned threads_of_level(const Settings& set) const;
    void come_together();
    void begin_loop(unsigned number);
    template <class Begin>
    void* shared_memory(std::size_t bytes, Begin begin)
    {
        NothingElse nothing;
        return loop_->shared_memory(bytes, begin, team_->wait(), nothing);
    }
    bool next_chunk_of_others(Chunk& chunk);
    bool take_chunk(Chunk& chunk);
    bool take_chunk_in_turn(Chunk& chunk);
    bool take_chunk_of_nest(Chunk& chunk);
    void await_own_turn();
    std::uint32_t met_by_task() const { return task_ == &implicit_ ? progress_->met : task_->met; }

    const unsigned number_;
    const int home_;
    bool leads_clusters_ = false;
    NotingThread* watched_ = nullptr;
    Member* const leader_;
    Team* team_ = nullptr;
    Task* task_ = nullptr;
    TaskGroup* group_ = nullptr;
    Team::Progress* progress_ = nullptr;

    Loop* loop_ = nullptr;
    unsigned number_in_loop_ = 0; // its number among the loop's threads
    Cursor cursor_;
    Chunk chunk_{};
    bool is_plain_ = true;            // the loop: not ordered, no nest, nor watched
    IterationPosts* posts_ = nullptr; // null: the loop is no nest whose iterations wait for each other
    bool has_turns_ = false, has_turn_ = false, is_in_region_ = false;
    std::uint64_t turns_left_ = 0; // how often the chunk may go through the ordered region yet

    unsigned level_ = 0, active_level_ = 0;
    Task implicit_;
    Settings own_settings_; // of that task, where it has some
};

} // namespace parley::loops

// SPDX-License-Identifier: MIT
#include "userlib/loops/crew.hpp"

#include "userlib/loops/this_thread.hpp"
#include "userlib/loops/watch.hpp"

#include <cstdlib>
#include <new>

namespace parley::loops {

namespace {

// A thread's numbers are those of its places in the outermost team and in the team within that.
void call_thread(const Member& member, NotingThread& watched)
{
    unsigned inner = 0, outer = member.number();
    for (const Member* leader = member.leader(); leader->leader() != nullptr; leader = leader->leader()) {
        inner = outer;
        outer = leader->number();
    }
    watched.call(outer, inner);
}

} // namespace

Crew* Crew::create(Member& leader)
{
    void* const place = take_memory(leader.home(), sizeof(Crew));
    if (place == nullptr)
        return nullptr;
    auto* const crew = new (place) Crew(leader);
    crew->first_.watch_this_thread();
    return crew;
}

void Crew::destroy(Crew* crew)
{
    crew->announced_.announce(0);
    for (unsigned at = 0; at < crew->count_; ++at) {
        await_end(crew->helpers_[at]->thread);
        give_memory_back(crew->helpers_[at]->member.home(), crew->helpers_[at], sizeof(Helper));
    }
    std::free(crew->helpers_);
    detail::end_crews(crew->first_);
    while (Team* const team = crew->teams_) {
        crew->teams_ = team->other;
        Team::destroy(team);
    }
    give_memory_back(crew->leader_.home(), crew, sizeof(Crew));
}

// A program has few sizes of teams.
Team& Crew::team_of(unsigned threads)
{
    for (Team* team = teams_; team != nullptr; team = team->other)
        if (team->threads() == threads)
            return *team;
    const unsigned all = threads * leader_.team().all_threads();
    Team* const team = Team::create(threads, all, process().choice, all > processors(), leader_.home());
    if (team == nullptr)
        give_up("there is no memory for a team of threads");
    team->other = teams_;
    teams_ = team;
    return *team;
}

void Crew::enlist(unsigned threads, Team& team)
{
    if (threads > room_) {
        helpers_ = static_cast<Helper**>(std::realloc(helpers_, threads * sizeof(Helper*)));
        room_ = threads;
    }
    while (count_ + 1 < threads) {
        const int home = home_of(leader_, count_ + 1);
        void* const place = helpers_ == nullptr ? nullptr : take_memory(home, sizeof(Helper));
        if (place == nullptr)
            give_up("there is no memory for a thread");
        auto* const helper = new (place) Helper{Member(count_ + 1, &leader_, home), *this, team.wait(), {}};
        const bool is_outermost = leader_.leader() == nullptr;
        const int processor = process().pinned && is_outermost ? static_cast<int>(count_ + 1) : -1;
        if (!start_thread(&help, helper, {process().stack_bytes, processor, home}, helper->thread))
            give_up("the system makes no more threads");
        helpers_[count_++] = helper;
    }
}

void Crew::begin(Body body, void* argument, unsigned threads, const LoopPlan* plan)
{
    NotingThread* const watched = leader_.watched();
    if (watched == nullptr) [[likely]]
        return post(body, argument, threads, plan);
    part_before_ = watched->part();
    part_ = plan != nullptr ? plan->part : LoopPart::other;
    watched->enter(part_);
    watched->note(ThreadActivity::set_up, plan != nullptr ? plan->count : 0);
    post(body, argument, threads, plan);
    watched->note(ThreadActivity::iterations);
}

void Crew::post(Body body, void* argument, unsigned threads, const LoopPlan* plan)
{
    Team& team = team_ != nullptr && team_->threads() == threads ? *team_ : team_of(threads);
    if (count_ + 1 < threads)
        enlist(threads, team);
    first_.join(team, leader_.settings());
    const bool with_loop = plan != nullptr && !plan->shared;
    if (with_loop)
        first_.open_loop(*plan);
    team_ = &team;
    detail::self = &first_;
    if (threads == 1)
        return;
    body_ = body;
    argument_ = argument;
    with_loop_ = with_loop;
    announced_.announce(threads);
}

void Crew::end()
{
    first_.finish();
    detail::self = &leader_;
    if (NotingThread* const watched = leader_.watched()) [[unlikely]] {
        watched->enter(part_before_);
        watched->note(leader_.level() == 0 ? ThreadActivity::serial : ThreadActivity::iterations);
    }
}

// One that has a part in a body holds up its end, so what has been announced to it stays as it is.
void Crew::help(void* given)
{
    Helper& helper = *static_cast<Helper*>(given);
    Crew& crew = helper.crew;
    Member& member = helper.member;
    detail::self = &member;
    detail::remember(&member);
    Wait* wait = &helper.first_wait;
    member.watch_this_thread();
    NotingThread* const watched = member.watched();
    if (watched != nullptr) [[unlikely]]
        call_thread(member, *watched);
    for (std::uint32_t heard = 0;;) {
        if (watched != nullptr) [[unlikely]] {
            watched->enter(LoopPart::other);
            watched->note(ThreadActivity::work_wait);
        }
        const unsigned threads = crew.announced_.await(heard, *wait, member);
        if (threads == 0)
            break;
        if (member.number() < threads) {
            crew.take_part(member);
            wait = &member.team().wait();
        }
    }
    detail::end_crews(member);
    detail::remember(nullptr);
}

void Crew::take_part(Member& member)
{
    NotingThread* const watched = member.watched();
    if (watched != nullptr) [[unlikely]] {
        watched->enter(part_);
        watched->note(ThreadActivity::set_up);
    }
    member.join(*team_, leader_.settings());
    if (with_loop_)
        member.find_loop();
    if (watched != nullptr) [[unlikely]]
        watched->note(ThreadActivity::iterations);
    body_(argument_);
    member.finish();
}

} // namespace parley::loops

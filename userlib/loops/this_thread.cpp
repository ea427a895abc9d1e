// SPDX-License-Identifier: MIT
#include "userlib/loops/this_thread.hpp"

#include "userlib/loops/surroundings/threads.hpp"

#include <cstdlib>
#include <new>

namespace parley::loops {

// By this nxrun knows who serves a program (native/nxrun/openmp_runtime.cpp).
[[gnu::used]] constexpr char mark[] = "@(#)parley: the loop runtime";

namespace detail {

constinit thread_local Member* self __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

// Whether others wait for the thread at the end of a body.
bool is_in_team()
{
    for (Member* member = self; member != nullptr; member = member->leader())
        if (member->team().threads() > 1)
            return true;
    return false;
}

void forget(void* given)
{
    auto* const member = static_cast<Member*>(given);
    if (member->leader() != nullptr || is_in_team())
        give_up("a thread has ended in a parallel region, where the others of its team wait for it");
    end_crews(*member);
    Team::destroy(&member->team());
    std::free(member);
    self = nullptr;
}

Member& make_apart(Member& host)
{
    const unsigned all = host.team().all_threads();
    Team* const team = Team::create(1, all, process().choice, all > processors(), host.home());
    void* const place = std::aligned_alloc(alignof(Member), sizeof(Member));
    if (team == nullptr || place == nullptr)
        give_up("there is no memory for a thread");
    auto* const member = new (place) Member(0, nullptr, host.home());
    member->watch_this_thread();
    member->join(*team, process().settings);
    return *(host.apart = member);
}

} // namespace

void end_crews(Member& member)
{
    if (member.crew != nullptr)
        Crew::destroy(member.crew);
    if (member.apart == nullptr)
        return;
    end_crews(*member.apart);
    Team::destroy(&member.apart->team());
    std::free(member.apart);
}

void remember(Member* member)
{
    if (!at_end_of_thread(&forget, member))
        give_up("there is no memory for a thread");
}

Member& begin_thread(int home)
{
    Team* const team = Team::create(1, 1, process().choice, false, home);
    void* const place = std::aligned_alloc(alignof(Member), sizeof(Member));
    if (team == nullptr || place == nullptr)
        give_up("there is no memory for a thread");
    auto* const member = new (place) Member(0, nullptr, home);
    remember(member);
    member->watch_this_thread();
    member->join(*team, process().settings);
    if (process().pinned && home == no_home)
        pin(0);
    return *(self = member);
}

} // namespace detail

void begin_team(Crew::Body body, void* argument, unsigned threads, const LoopPlan* plan, Nesting nesting)
{
    Member& self = this_thread();
    const unsigned size = team_size(self, threads, nesting);
    if (self.crew == nullptr && (self.crew = Crew::create(self)) == nullptr)
        give_up("there is no memory for a team of threads");
    self.crew->begin(body, argument, size, plan);
}

void run_apart(Crew::Body body, void* argument)
{
    Member& self = this_thread();
    const bool is_apart = self.leader() == nullptr;
    Member& member = is_apart ? self : self.apart != nullptr ? *self.apart : detail::make_apart(self);
    const unsigned teams = member.teams, team_number = member.team_number;
    member.teams = 1;
    member.team_number = 0;
    detail::self = &member;
    if (!member.run_at_once(body, argument, false, &process().settings))
        give_up("there is no memory for a task");
    detail::self = &self;
    member.teams = teams;
    member.team_number = team_number;
}

void end_team() { this_thread().leader()->crew->end(); }

void run_in_team(Crew::Body body, void* argument, unsigned threads, const LoopPlan* plan, Nesting nesting)
{
    begin_team(body, argument, threads, plan, nesting);
    body(argument);
    end_team();
}

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// The threads that help one that leads: they wait for a body, take part in it as a team with the leader, and
// wait for the next. Crews are made as they are needed: a member of a team that leads another has one of its
// own.
#pragma once

#include "userlib/loops/announcement.hpp"
#include "userlib/loops/member.hpp"
#include "userlib/loops/surroundings/threads.hpp"

namespace parley::loops {

class Crew {
public:
    using Body = void (*)(void* argument);

    // Makes the crew of this thread. Null: there is no memory.
    static Crew* create(Member& leader);
    // Ends its helpers, and those of its members' crews; none of them is in a body.
    static void destroy(Crew* crew);

    // Starts helpers for a team of so many, at most most_threads, and has them run the body; with a plan, all
    // find that loop entered, unless several teams share it. The caller is then number 0 of the team, runs
    // the body itself, and calls end().
    void begin(Body body, void* argument, unsigned threads, const LoopPlan* plan);
    // Returns when all are done. The caller is then the member again that it was before begin().
    void end();

    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

private:
    struct Helper {
        Member member;
        Crew& crew;
        Wait& first_wait; // for work
        Thread thread;
    };

    explicit Crew(Member& leader) : leader_(leader), first_(0, &leader, home_of(leader, 0)) { }
    ~Crew() = default;

    // The cluster in whose memory the member with this number has its words.
    static int home_of(const Member& leader, unsigned number)
    {
        return leader.leads_clusters() ? static_cast<int>(number) : leader.home();
    }

    void post(Body body, void* argument, unsigned threads, const LoopPlan* plan);
    Team& team_of(unsigned threads);
    void enlist(unsigned threads, Team& team);
    static void help(void* helper);
    void take_part(Member& member);

    Member& leader_;
    Member first_; // what the leader is in its teams
    Team* teams_ = nullptr;
    Helper** helpers_ = nullptr;
    unsigned count_ = 0, room_ = 0; // of helpers

    // What is to be done. Helpers that take no part look at `announced_` alone.
    alignas(line_bytes) Announcement announced_;
    Body body_ = nullptr;
    void* argument_ = nullptr;
    Team* team_ = nullptr;
    bool with_loop_ = false;
    LoopPart part_ = LoopPart::other, part_before_ = LoopPart::other; // of what is done, and of the leader's
};

} // namespace parley::loops

// SPDX-License-Identifier: MIT
// The calling thread as a member of its team, and what all threads of the process have in common.
#pragma once

#include "userlib/loops/crew.hpp"

#include <algorithm>

namespace parley::loops {

struct ProcessSettings {
    Choice choice = {}; // the leaves of all teams
    // How Cedar's loops are handed out, which is looked up once: names lie far from where loops run.
    Chosen<DistributionKind> cedar;
    Settings settings;           // that a thread begins with
    std::size_t stack_bytes = 0; // of helpers; 0: the system's
    bool pinned = false;         // each thread of a team to a processor
};

// The settings, as the environment gives them; they are set up before the first thread asks
// (environment.cpp).
const ProcessSettings& process();

// What the program has set for its teams (`teams`): of a construct that does not say it, how many there are,
// and the threads of each; 0: nothing.
struct LeagueSettings {
    int teams = 0, threads = 0;
};
inline LeagueSettings league_settings;

// Into how many clusters loops can divide the threads: no more than the machine has, where it has any.
unsigned most_clusters();
struct Sentence {
    char text[128];
};
// A sentence without a full stop, for whoever has asked for more.
Sentence why_no_more_clusters();

namespace detail {
extern constinit thread_local Member* self __attribute__((tls_model("initial-exec")));
// A thread that no crew has started is a team of its own, which lies in its home.
Member& begin_thread(int home = no_home);
// What the calling thread is when it ends: null where it may, a member of a crew where others wait for it.
void remember(Member* member);
// Ends the threads that this one has started, of which none is in a body.
void end_crews(Member& member);
} // namespace detail

inline Member& this_thread()
{
    Member* const self = detail::self;
    return self != nullptr ? *self : detail::begin_thread();
}

// As this_thread(), for a thread that has called that before.
inline Member& known_thread() { return *detail::self; }

// Whether a team within teams has more than one thread.
enum class Nesting { as_set, always };

// How many threads a team of that member's has for which so many are asked; 0: as many as the settings say.
inline unsigned team_size(const Member& leader, unsigned threads, Nesting nesting = Nesting::as_set)
{
    const Settings& settings = leader.settings();
    if (threads == 0)
        threads = leader.threads_as_set();
    if (nesting == Nesting::as_set && leader.active_level() >= settings.most_active_levels)
        threads = 1;
    return std::min(threads, settings.most_threads);
}

// Runs body(argument) in a team of so many threads; 0: as many as the settings say. With a plan, all find
// that loop entered. Where so many are not allowed, fewer take part.
void run_in_team(Crew::Body body, void* argument, unsigned threads, const LoopPlan* plan = nullptr,
                 Nesting nesting = Nesting::as_set);
// As run_in_team(), but the caller runs the body itself, and then ends the team.
void begin_team(Crew::Body body, void* argument, unsigned threads, const LoopPlan* plan = nullptr,
                Nesting nesting = Nesting::as_set);
void end_team();

// Runs body(argument) as an initial thread does that is in no team, whatever teams the caller is in, with
// settings that nobody has changed.
void run_apart(Crew::Body body, void* argument);

} // namespace parley::loops

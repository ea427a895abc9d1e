// SPDX-License-Identifier: MIT
// Work-sharing loops. Each way to hand out iterations has an entry that comes to the loop and takes the first
// chunk, one for the next, and one that makes a team for the loop; all for iteration variables of type long
// and of type unsigned long long. The macros write these families.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/openmp/task_reductions.hpp"
#include "userlib/loops/schedules.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <span>

using namespace parley::loops;

namespace {

using Unsigned = unsigned long long;

[[noreturn]] void refuse_overflow()
{
    give_up("the variable of a parallel loop goes beyond what its type can hold behind the last iteration");
}

// The chunk of a schedule that needs one.
long some(long chunk)
{
    if (chunk < 1) {
        char sentence[96];
        std::snprintf(sentence, sizeof sentence, "the chunk of a loop's schedule is at least 1, not %ld",
                      chunk);
        give_up(sentence);
    }
    return chunk;
}
long narrowed(Unsigned chunk) { return static_cast<long>(std::min<Unsigned>(chunk, LONG_MAX)); }
long some(Unsigned chunk) { return some(narrowed(chunk)); }

LoopPlan plan_of(long start, long end, long step, const Chosen<DistributionKind>& distribution)
{
    const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(end);
    const auto by = static_cast<std::uint64_t>(step);
    std::uint64_t count = 0;
    if (step > 0 && start < end)
        count = step == 1 ? to - from : divided_up(to - from, by);
    else if (step < 0 && start > end)
        count = divided_up(from - to, -by);
    // What the compiler makes of a chunk compares the variable with its end behind the last iteration.
    long beyond = 0;
    if (step != 1 && count != 0 &&
        __builtin_add_overflow(static_cast<long>(from + (count - 1) * by), step, &beyond))
        refuse_overflow();
    return {count, from, by, to, distribution, false};
}

LoopPlan plan_of(bool up, Unsigned start, Unsigned end, Unsigned step,
                 const Chosen<DistributionKind>& distribution)
{
    std::uint64_t count = 0;
    if (up && start < end)
        count = divided_up(end - start, step);
    else if (!up && start > end)
        count = divided_up(start - end, -step);
    Unsigned beyond = 0;
    const Unsigned last = start + (count - 1) * step;
    if (count != 0 &&
        (up ? __builtin_add_overflow(last, step, &beyond) : __builtin_sub_overflow(last, -step, &beyond)))
        refuse_overflow();
    return {count, start, step, end, distribution, false};
}

// As the program calls them.
template <class Integer>
bool next(Member& self, Integer* start, Integer* end)
{
    Chunk chunk;
    if (!self.next_chunk(chunk))
        return false;
    const LoopPlan& plan = self.plan();
    *start = static_cast<Integer>(plan.start + chunk.first * plan.step);
    *end = static_cast<Integer>(chunk.end == plan.count ? plan.end : plan.start + chunk.end * plan.step);
    return true;
}

template <class Integer>
bool next(Integer* start, Integer* end)
{
    return next(known_thread(), start, end);
}

// Others of the team wait for their turn, and would not come to the loop.
Member& enter(const LoopPlan& plan)
{
    Member& self = this_thread();
    if (self.is_in_region())
        give_up("a loop of the same team cannot be in the ordered region of another");
    self.enter_loop(plan);
    return self;
}

template <class Integer>
bool begin(LoopPlan plan, bool ordered, Integer* start, Integer* end)
{
    plan.ordered = ordered;
    Member& self = enter(plan);
    return next(self, start, end);
}

// gcc's numbers of schedules, in the entries that take one: its highest bit says monotonic. That of `auto`
// stands for `nonmonotonic: runtime`, for what is `auto` in the program gcc compiles as static.
constexpr long runtime = 0, dynamic = 2, guided = 3, nonmonotonic_runtime = 4;
// gcc calls a loop's schedule monotonic where the program does, and where it counts on each thread's order:
// for `ordered`, `scan` and conditional lastprivates.
Chosen<DistributionKind> runtime_in_order()
{
    const Settings& settings = this_thread().settings();
    return in_order(settings.runtime, settings.runtime_chunk);
}
Chosen<DistributionKind> by_number(long schedule, long chunk)
{
    const auto kind = schedule & 0x7fff'ffff;
    if (kind == runtime || kind == nonmonotonic_runtime)
        return static_cast<int>(schedule) < 0 ? runtime_in_order() : this_thread().settings().runtime;
    return runtime_of(static_cast<int>(schedule), kind == dynamic || kind == guided ? some(chunk) : chunk);
}

// Memory that the threads of a loop share until they leave it, for `scan` and conditional lastprivates: gcc
// says in the pointer how many bytes, and finds there where they are.
void share_memory(Member& self, void** memory)
{
    if (memory == nullptr)
        return;
    *memory = self.shared_memory(reinterpret_cast<std::uintptr_t>(*memory));
    if (*memory == nullptr)
        give_up("there is no memory for what the threads of a loop share");
}

// What the entries that take clauses by number do. Without `from` the caller takes its iterations without
// asking.
template <class Integer>
bool begin_with_clauses(LoopPlan plan, bool ordered, Integer* from, Integer* to, ReductionBlock* reductions,
                        void** memory)
{
    plan.ordered = ordered;
    Member& self = enter(plan);
    if (reductions != nullptr)
        begin_loops_reductions(self, *reductions);
    share_memory(self, memory);
    return from == nullptr || next(self, from, to);
}

constexpr unsigned most_nested = 64;

// A nest whose iterations wait for each other; the outermost of its loops is handed out, from 0 on. Where one
// has no iterations, nobody waits.
template <class Integer>
bool begin_nest(unsigned loops, const Integer* counts, const Chosen<DistributionKind>& distribution,
                Integer* from, Integer* to, ReductionBlock* reductions = nullptr, void** memory = nullptr)
{
    if (loops > most_nested)
        give_up("of loops whose iterations depend on each other (ordered(n)) at most 64 are nested");
    const auto outer = static_cast<std::uint64_t>(counts[0]);
    Member& self = enter({outer, 0, 1, outer, distribution, false});
    if (reductions != nullptr)
        begin_loops_reductions(self, *reductions);
    const std::span<const std::uint64_t> all(reinterpret_cast<const std::uint64_t*>(counts), loops);
    void* const rest =
        self.share_posts(all, memory == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(*memory));
    if (rest == nullptr)
        give_up("there is no memory for the iterations of a loop that others depend on (depend(sink:))");
    if (memory != nullptr)
        *memory = rest;
    return next(self, from, to);
}

template <class Integer>
void post(const Integer* iteration)
{
    Member& self = known_thread();
    self.post({reinterpret_cast<const std::uint64_t*>(iteration), self.nested_loops()});
}

// What follows the first number are those in the inner loops.
template <class Integer>
void await_post(Integer first, std::va_list others)
{
    Member& self = known_thread();
    std::uint64_t iteration[most_nested] = {static_cast<std::uint64_t>(first)};
    for (unsigned at = 1; at < self.nested_loops(); ++at)
        iteration[at] = static_cast<std::uint64_t>(va_arg(others, Integer));
    if (!self.await_post({iteration, self.nested_loops()}))
        give_up("an iteration depends (depend(sink:)) on one that is not before it, or on one of its own "
                "chunk that is without depend(source)");
}

} // namespace

extern "C" {

// An entry's name, whether it is ordered, and how it is handed out, by `chunk`.
#define LOOP_WITH_CHUNK(name, ordered, distribution)                                                        \
    bool GOMP_loop_##name##_start(long first, long end, long step, long chunk, long* from, long* to)        \
    {                                                                                                       \
        return begin(plan_of(first, end, step, distribution), ordered, from, to);                           \
    }                                                                                                       \
    bool GOMP_loop_ull_##name##_start(bool up, Unsigned first, Unsigned end, Unsigned step, Unsigned chunk, \
                                      Unsigned* from, Unsigned* to)                                         \
    {                                                                                                       \
        return begin(plan_of(up, first, end, step, distribution), ordered, from, to);                       \
    }                                                                                                       \
    LOOP_NEXT(name)
#define LOOP_OF_RUNTIME(name, ordered, distribution)                                                        \
    bool GOMP_loop_##name##_start(long first, long end, long step, long* from, long* to)                    \
    {                                                                                                       \
        return begin(plan_of(first, end, step, distribution), ordered, from, to);                           \
    }                                                                                                       \
    bool GOMP_loop_ull_##name##_start(bool up, Unsigned first, Unsigned end, Unsigned step, Unsigned* from, \
                                      Unsigned* to)                                                         \
    {                                                                                                       \
        return begin(plan_of(up, first, end, step, distribution), ordered, from, to);                       \
    }                                                                                                       \
    LOOP_NEXT(name)
#define LOOP_NEXT(name)                                                           \
    bool GOMP_loop_##name##_next(long* from, long* to) { return next(from, to); } \
    bool GOMP_loop_ull_##name##_next(Unsigned* from, Unsigned* to) { return next(from, to); }

LOOP_WITH_CHUNK(static, false, static_of(static_cast<long>(chunk)))
LOOP_WITH_CHUNK(dynamic, false, dynamic_of(some(chunk)))
LOOP_WITH_CHUNK(guided, false, guided_of(some(chunk)))
LOOP_WITH_CHUNK(nonmonotonic_dynamic, false, nonmonotonic_dynamic_of(some(chunk)))
LOOP_WITH_CHUNK(nonmonotonic_guided, false, nonmonotonic_guided_of(some(chunk)))
LOOP_WITH_CHUNK(ordered_static, true, static_of(static_cast<long>(chunk)))
LOOP_WITH_CHUNK(ordered_dynamic, true, dynamic_of(some(chunk)))
LOOP_WITH_CHUNK(ordered_guided, true, guided_of(some(chunk)))
LOOP_OF_RUNTIME(runtime, false, runtime_in_order())
LOOP_OF_RUNTIME(nonmonotonic_runtime, false, this_thread().settings().runtime)
LOOP_OF_RUNTIME(maybe_nonmonotonic_runtime, false, this_thread().settings().runtime)
LOOP_OF_RUNTIME(ordered_runtime, true, runtime_in_order())

#define PARALLEL_LOOP(name, distribution)                                                                   \
    void GOMP_parallel_loop_##name(void (*body)(void*), void* data, unsigned threads, long first, long end, \
                                   long step, long chunk, unsigned)                                         \
    {                                                                                                       \
        const LoopPlan plan = plan_of(first, end, step, distribution);                                      \
        run_in_team(body, data, threads, &plan);                                                            \
    }
#define PARALLEL_LOOP_OF_RUNTIME(name, distribution)                                                        \
    void GOMP_parallel_loop_##name(void (*body)(void*), void* data, unsigned threads, long first, long end, \
                                   long step, unsigned)                                                     \
    {                                                                                                       \
        const LoopPlan plan = plan_of(first, end, step, distribution);                                      \
        run_in_team(body, data, threads, &plan);                                                            \
    }
#define PARALLEL_LOOP_BEGUN(name, distribution)                                                           \
    void GOMP_parallel_loop_##name##_start(void (*body)(void*), void* data, unsigned threads, long first, \
                                           long end, long step, long chunk)                               \
    {                                                                                                     \
        const LoopPlan plan = plan_of(first, end, step, distribution);                                    \
        begin_team(body, data, threads, &plan);                                                           \
    }

PARALLEL_LOOP(static, static_of(chunk))
PARALLEL_LOOP(dynamic, dynamic_of(some(chunk)))
PARALLEL_LOOP(guided, guided_of(some(chunk)))
PARALLEL_LOOP(nonmonotonic_dynamic, nonmonotonic_dynamic_of(some(chunk)))
PARALLEL_LOOP(nonmonotonic_guided, nonmonotonic_guided_of(some(chunk)))
PARALLEL_LOOP_OF_RUNTIME(runtime, runtime_in_order())
PARALLEL_LOOP_OF_RUNTIME(nonmonotonic_runtime, this_thread().settings().runtime)
PARALLEL_LOOP_OF_RUNTIME(maybe_nonmonotonic_runtime, this_thread().settings().runtime)
PARALLEL_LOOP_BEGUN(static, static_of(chunk))
PARALLEL_LOOP_BEGUN(dynamic, dynamic_of(some(chunk)))
PARALLEL_LOOP_BEGUN(guided, guided_of(some(chunk)))
void GOMP_parallel_loop_runtime_start(void (*body)(void*), void* data, unsigned threads, long first, long end,
                                      long step)
{
    const LoopPlan plan = plan_of(first, end, step, runtime_in_order());
    begin_team(body, data, threads, &plan);
}

// For loops with more clauses, which say what they want by number.
bool GOMP_loop_start(long first, long end, long step, long schedule, long chunk, long* from, long* to,
                     ReductionBlock* reductions, void** memory)
{
    return begin_with_clauses(plan_of(first, end, step, by_number(schedule, chunk)), false, from, to,
                              reductions, memory);
}
bool GOMP_loop_ordered_start(long first, long end, long step, long schedule, long chunk, long* from, long* to,
                             ReductionBlock* reductions, void** memory)
{
    return begin_with_clauses(plan_of(first, end, step, by_number(schedule, chunk)), true, from, to,
                              reductions, memory);
}
bool GOMP_loop_ull_start(bool up, Unsigned first, Unsigned end, Unsigned step, long schedule, Unsigned chunk,
                         Unsigned* from, Unsigned* to, ReductionBlock* reductions, void** memory)
{
    return begin_with_clauses(plan_of(up, first, end, step, by_number(schedule, narrowed(chunk))), false,
                              from, to, reductions, memory);
}
bool GOMP_loop_ull_ordered_start(bool up, Unsigned first, Unsigned end, Unsigned step, long schedule,
                                 Unsigned chunk, Unsigned* from, Unsigned* to, ReductionBlock* reductions,
                                 void** memory)
{
    return begin_with_clauses(plan_of(up, first, end, step, by_number(schedule, narrowed(chunk))), true, from,
                              to, reductions, memory);
}

#define NEST(name, distribution)                                                                           \
    bool GOMP_loop_doacross_##name##_start(unsigned loops, long* counts, long chunk, long* from, long* to) \
    {                                                                                                      \
        return begin_nest(loops, counts, distribution, from, to);                                          \
    }                                                                                                      \
    bool GOMP_loop_ull_doacross_##name##_start(unsigned loops, Unsigned* counts, Unsigned chunk,           \
                                               Unsigned* from, Unsigned* to)                               \
    {                                                                                                      \
        return begin_nest(loops, counts, distribution, from, to);                                          \
    }

NEST(static, static_of(static_cast<long>(chunk)))
NEST(dynamic, dynamic_of(some(chunk)))
NEST(guided, guided_of(some(chunk)))
bool GOMP_loop_doacross_runtime_start(unsigned loops, long* counts, long* from, long* to)
{
    return begin_nest(loops, counts, runtime_in_order(), from, to);
}
bool GOMP_loop_ull_doacross_runtime_start(unsigned loops, Unsigned* counts, Unsigned* from, Unsigned* to)
{
    return begin_nest(loops, counts, runtime_in_order(), from, to);
}
bool GOMP_loop_doacross_start(unsigned loops, long* counts, long schedule, long chunk, long* from, long* to,
                              ReductionBlock* reductions, void** memory)
{
    return begin_nest(loops, counts, by_number(schedule, chunk), from, to, reductions, memory);
}
bool GOMP_loop_ull_doacross_start(unsigned loops, Unsigned* counts, long schedule, Unsigned chunk,
                                  Unsigned* from, Unsigned* to, ReductionBlock* reductions, void** memory)
{
    return begin_nest(loops, counts, by_number(schedule, narrowed(chunk)), from, to, reductions, memory);
}

void GOMP_doacross_post(const long* iteration) { post(iteration); }
void GOMP_doacross_ull_post(const Unsigned* iteration) { post(iteration); }
void GOMP_doacross_wait(long first, ...)
{
    std::va_list others;
    va_start(others, first);
    await_post(first, others);
    va_end(others);
}
void GOMP_doacross_ull_wait(Unsigned first, ...)
{
    std::va_list others;
    va_start(others, first);
    await_post(first, others);
    va_end(others);
}

void GOMP_loop_end()
{
    Member& self = known_thread();
    self.leave_loop();
    self.meet();
}
void GOMP_loop_end_nowait() { known_thread().leave_loop(); }
bool GOMP_loop_end_cancel()
{
    GOMP_loop_end();
    return false;
}

void GOMP_ordered_start()
{
    Member& self = this_thread();
    if (!self.await_turn() && self.has_turns())
        give_up("an iteration comes twice to the ordered region of its loop");
}
void GOMP_ordered_end() { this_thread().end_turn(); }

// Sections are a loop over their numbers, from 1; 0 says that none is left.
unsigned GOMP_sections_next()
{
    long from = 0, to = 0;
    return next(&from, &to) ? static_cast<unsigned>(from) : 0;
}
unsigned GOMP_sections_start(unsigned count)
{
    enter(plan_of(1, static_cast<long>(count) + 1, 1, sections_of()));
    return GOMP_sections_next();
}
unsigned GOMP_sections2_start(unsigned count, ReductionBlock* reductions, void** memory)
{
    Member& self = enter(plan_of(1, static_cast<long>(count) + 1, 1, sections_of()));
    if (reductions != nullptr)
        begin_loops_reductions(self, *reductions);
    share_memory(self, memory);
    return GOMP_sections_next();
}
void GOMP_parallel_sections(void (*body)(void*), void* data, unsigned threads, unsigned count, unsigned)
{
    const LoopPlan plan = plan_of(1, static_cast<long>(count) + 1, 1, sections_of());
    run_in_team(body, data, threads, &plan);
}
void GOMP_parallel_sections_start(void (*body)(void*), void* data, unsigned threads, unsigned count)
{
    const LoopPlan plan = plan_of(1, static_cast<long>(count) + 1, 1, sections_of());
    begin_team(body, data, threads, &plan);
}
void GOMP_sections_end() { GOMP_loop_end(); }
void GOMP_sections_end_nowait() { GOMP_loop_end_nowait(); }
bool GOMP_sections_end_cancel() { return GOMP_loop_end_cancel(); }

} // extern "C"

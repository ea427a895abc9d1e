// SPDX-License-Identifier: MIT
// The calls of omp.h, and of omp_lib for Fortran, whose names end in an underscore and whose arguments are
// addresses.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/schedules.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace parley::loops;

namespace {

// The member of the team at that level that the calling thread descends from; null: there is no such level.
Member* ancestor(int level)
{
    Member* member = &this_thread();
    if (level < 0 || static_cast<unsigned>(level) > member->level())
        return nullptr;
    while (member->level() > static_cast<unsigned>(level))
        member = member->leader();
    return member;
}

// The one that leads all teams that the calling thread is in.
Member& first_of_all() { return *ancestor(0); }

double seconds(const timespec& time)
{
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

extern "C" {

// A call without arguments, in both languages.
#define CALL(type, name, value)                      \
    type name() { return static_cast<type>(value); } \
    type name##_() { return name(); }
// One that sets something, by an int; Fortran's default integer may have eight bytes.
#define SETTING(name, ...)                                                                       \
    void name(int value) { __VA_ARGS__; }                                                        \
    void name##_(const std::int32_t* value) { name(*value); }                                    \
    void name##_8_(const std::int64_t* value)                                                    \
    {                                                                                            \
        name(static_cast<int>(std::clamp<std::int64_t>(*value, -0x7fff'ffff - 1, 0x7fff'ffff))); \
    }
// One that asks for something of a level.
#define OF_LEVEL(name, value)                                                             \
    int name(int level)                                                                   \
    {                                                                                     \
        Member* const member = ancestor(level);                                           \
        return member == nullptr ? -1 : static_cast<int>(value);                          \
    }                                                                                     \
    std::int32_t name##_(const std::int32_t* level) { return name(*level); }              \
    std::int32_t name##_8_(const std::int64_t* level)                                     \
    {                                                                                     \
        return name(static_cast<int>(std::clamp<std::int64_t>(*level, -1, 0x7fff'ffff))); \
    }

CALL(int, omp_get_thread_num, this_thread().number())
CALL(int, omp_get_num_threads, this_thread().team().threads())
CALL(int, omp_get_max_threads, this_thread().threads_as_set())
CALL(int, omp_get_num_procs, processors())
CALL(int, omp_in_parallel, this_thread().active_level() > 0)
CALL(int, omp_get_dynamic, this_thread().settings().dynamic)
CALL(int, omp_get_nested,
     this_thread().settings().most_active_levels > std::max(this_thread().active_level(), 1u))
CALL(int, omp_get_level, this_thread().level())
CALL(int, omp_get_active_level, this_thread().active_level())
CALL(int, omp_get_max_active_levels, std::min(this_thread().settings().most_active_levels, 0x7fff'ffffu))
CALL(int, omp_get_supported_active_levels, 0x7fff'ffff)
CALL(int, omp_get_thread_limit, this_thread().settings().most_threads)
CALL(int, omp_in_final, this_thread().task().final)
CALL(int, omp_get_cancellation, false)
CALL(int, omp_get_proc_bind, process().pinned)
CALL(int, omp_get_default_device, this_thread().settings().device)
CALL(int, omp_get_initial_device, 0)
CALL(int, omp_get_num_devices, 0)
CALL(int, omp_get_device_num, 0)
CALL(int, omp_is_initial_device, true)
CALL(int, omp_get_num_teams, first_of_all().teams)
CALL(int, omp_get_team_num, first_of_all().team_number)
CALL(int, omp_get_max_teams, league_settings.teams)
CALL(int, omp_get_teams_thread_limit, league_settings.threads)
CALL(int, omp_get_max_task_priority, 0)
CALL(int, omp_get_num_places, 0)
CALL(int, omp_get_place_num, -1)
CALL(int, omp_get_partition_num_places, 0)

SETTING(omp_set_num_threads, this_thread().set_threads(static_cast<unsigned>(std::max(value, 1))))
SETTING(omp_set_dynamic, this_thread().own_settings().dynamic = value != 0)
SETTING(omp_set_nested, this_thread().own_settings().most_active_levels = value != 0 ? most_threads : 1)
SETTING(omp_set_max_active_levels,
        if (value >= 0) this_thread().own_settings().most_active_levels = static_cast<unsigned>(value))
SETTING(omp_set_default_device, this_thread().own_settings().device = value)
SETTING(omp_set_num_teams, league_settings.teams = std::max(value, 0))
SETTING(omp_set_teams_thread_limit, league_settings.threads = std::max(value, 0))

OF_LEVEL(omp_get_ancestor_thread_num, member->number())
OF_LEVEL(omp_get_team_size, member->team().threads())

// There are no places that a program could name (OMP_PLACES is not heard).
int omp_get_place_num_procs(int) { return 0; }
std::int32_t omp_get_place_num_procs_(const std::int32_t*) { return 0; }
std::int32_t omp_get_place_num_procs_8_(const std::int64_t*) { return 0; }
void omp_get_place_proc_ids(int, int*) { }
void omp_get_place_proc_ids_(const std::int32_t*, std::int32_t*) { }
void omp_get_place_proc_ids_8_(const std::int64_t*, std::int64_t*) { }
void omp_get_partition_place_nums(int*) { }
void omp_get_partition_place_nums_(std::int32_t*) { }
void omp_get_partition_place_nums_8_(std::int64_t*) { }

// Nothing that a device holds could be given up: there is none.
int omp_pause_resource(int, int) { return 0; }
std::int32_t omp_pause_resource_(const std::int32_t*, const std::int32_t*) { return 0; }
int omp_pause_resource_all(int) { return 0; }
std::int32_t omp_pause_resource_all_(const std::int32_t*) { return 0; }

// On standard error, in the form that OpenMP gives; verbose or not, it is the same.
void omp_display_env(int)
{
    const Settings& settings = process().settings;
    const auto truth = [](bool value) { return value ? "TRUE" : "FALSE"; };
    static constexpr const char* kinds[] = {"RUNTIME", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
    std::fprintf(stderr,
                 "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n"
                 "  [host] OMP_NUM_THREADS = '%u",
                 settings.threads);
    for (std::size_t level = 1; level < settings.threads_of_levels.size(); ++level)
        std::fprintf(stderr, ",%u", settings.threads_of_levels[level]);
    std::fprintf(stderr,
                 "'\n  [host] OMP_DYNAMIC = '%s'\n"
                 "  [host] OMP_SCHEDULE = '%s,%d'\n  [host] OMP_PROC_BIND = '%s'\n"
                 "  [host] OMP_MAX_ACTIVE_LEVELS = '%u'\n  [host] OMP_THREAD_LIMIT = '%u'\n"
                 "  [host] OMP_STACKSIZE = '%zuB'\n  [host] OMP_CANCELLATION = 'FALSE'\n"
                 "  [host] OMP_NUM_TEAMS = '%d'\n  [host] OMP_TEAMS_THREAD_LIMIT = '%d'\n"
                 "  [host] OMP_DEFAULT_DEVICE = '%d'\nOPENMP DISPLAY ENVIRONMENT END\n",
                 truth(settings.dynamic), kinds[settings.runtime_kind & 7], settings.runtime_chunk,
                 truth(process().pinned), settings.most_active_levels, settings.most_threads,
                 process().stack_bytes, league_settings.teams, league_settings.threads, settings.device);
}
void omp_display_env_(const std::int32_t* verbose) { omp_display_env(*verbose); }
void omp_display_env_8_(const std::int64_t* verbose) { omp_display_env(*verbose != 0); }

double omp_get_wtime()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return seconds(time);
}
double omp_get_wtick()
{
    timespec time{};
    clock_getres(CLOCK_MONOTONIC, &time);
    return seconds(time);
}
double omp_get_wtime_() { return omp_get_wtime(); }
double omp_get_wtick_() { return omp_get_wtick(); }

// A distribution that PARLEY_LOOPS names is taken all the same.
void omp_set_schedule(int kind, int chunk)
{
    Settings& settings = this_thread().own_settings();
    settings.runtime = runtime_of(kind, chunk);
    settings.runtime_kind = kind;
    settings.runtime_chunk = chunk > 0 ? chunk : 0;
}
void omp_set_schedule_(const std::int32_t* kind, const std::int32_t* chunk)
{
    omp_set_schedule(*kind, *chunk);
}
void omp_set_schedule_8_(const std::int32_t* kind, const std::int64_t* chunk)
{
    omp_set_schedule(*kind, static_cast<int>(std::clamp<std::int64_t>(*chunk, 0, 0x7fff'ffff)));
}
void omp_get_schedule(int* kind, int* chunk)
{
    *kind = this_thread().settings().runtime_kind;
    *chunk = this_thread().settings().runtime_chunk;
}
void omp_get_schedule_(std::int32_t* kind, std::int32_t* chunk) { omp_get_schedule(kind, chunk); }
void omp_get_schedule_8_(std::int32_t* kind, std::int64_t* chunk)
{
    *kind = this_thread().settings().runtime_kind;
    *chunk = this_thread().settings().runtime_chunk;
}

} // extern "C"

/* SPDX-License-Identifier: MIT
 * `target` where there is no device but this one, and teams; prints what is the same with any runtime and any
 * number of threads. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };
static int shared[COUNT];
#pragma omp declare target(shared)

static void regions(void)
{
    int n = 3, sum = 0, kept[4] = {1, 2, 3, 4};
#pragma omp target map(tofrom : sum) firstprivate(n, kept)
    {
        n += kept[3];
        kept[0] = 100;
        sum = n + kept[0];
    }
    printf("firstprivate %d %d %d\n", n, kept[0], sum);

    int inside = 0, levels = 0, wrong = 0, initial = 0;
#pragma omp parallel reduction(+ : wrong) num_threads(2)
    {
        int mine = omp_get_thread_num(), size = omp_get_num_threads(), number = -1, level = -1, team = -1;
#pragma omp target map(from : number, level, team)
        {
            number = omp_get_thread_num();
            level = omp_get_level();
            team = omp_get_num_threads();
        }
        wrong += number != 0 || level != 0 || team != 1 || omp_get_thread_num() != mine ||
                 omp_get_num_threads() != size;
        int members = 0;
#pragma omp target map(tofrom : members)
#pragma omp parallel reduction(+ : members) num_threads(3)
        members += omp_get_num_threads() == 3;
        wrong += members != 3;
    }
#pragma omp target map(from : inside, levels, initial)
    {
        inside = omp_in_parallel();
        levels = omp_get_level();
        initial = omp_is_initial_device();
    }
    printf("initial thread %d %d %d %d\n", wrong, inside, levels, initial);

    long total = 0;
#pragma omp target data map(tofrom : total)
    {
#pragma omp target enter data map(to : shared)
#pragma omp target teams distribute parallel for
        for (int at = 0; at < COUNT; at++)
            shared[at] = at;
#pragma omp target teams distribute parallel for reduction(+ : total) map(tofrom : total)
        for (int at = 0; at < COUNT; at++)
            total += shared[at];
#pragma omp target update from(shared)
#pragma omp target exit data map(from : shared)
    }
    int chain = 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : chain) shared(chain)
        chain *= 5;
#pragma omp target nowait depend(inout : chain) map(tofrom : chain)
        chain += 2;
#pragma omp task depend(in : chain) shared(chain)
        chain *= 3;
#pragma omp taskwait
    }
    printf("loops %ld, in order %d\n", total, chain);
}

static void teams(void)
{
    int seen[4] = {0}, wrong = 0, limited = 0;
#pragma omp teams num_teams(4) thread_limit(2) reduction(+ : wrong, limited)
    {
        seen[omp_get_team_num()]++;
        wrong += omp_get_num_teams() != 4;
#pragma omp parallel reduction(+ : wrong, limited) num_threads(8)
        {
            wrong += omp_get_num_teams() != 4 || omp_get_team_num() > 3;
            limited += omp_get_num_threads() > 2;
        }
    }
    printf("teams %d %d %d %d, wrong %d %d, behind %d\n", seen[0], seen[1], seen[2], seen[3], wrong, limited,
           omp_get_num_teams());
    int apart[3] = {0};
#pragma omp target teams num_teams(3) map(tofrom : apart)
    apart[omp_get_team_num()] += omp_get_num_teams();
    omp_set_num_teams(7);
    omp_set_teams_thread_limit(5);
    printf("target teams %d %d %d, set %d %d\n", apart[0], apart[1], apart[2], omp_get_max_teams(),
           omp_get_teams_thread_limit());
}

static void numbers(void)
{
    const int threads = omp_get_max_threads();
    int here = 0, of_region = 0;
    omp_set_num_threads(threads + 1);
#pragma omp target map(from : of_region)
    of_region = omp_get_max_threads();
    printf("threads %d %d\n", of_region - threads, omp_get_max_threads() - threads);
    omp_set_default_device(3);
#pragma omp target if (0) map(from : here)
    here = omp_is_initial_device();
    printf("device %d %d\n", omp_get_default_device(), here);
    omp_set_default_device(0);
}

static void copies(void)
{
    const int here = omp_get_initial_device();
    int *const memory = omp_target_alloc(COUNT * sizeof *memory, here);
    int from[4][5], to[3][3], at = 0;
    memset(to, 0, sizeof to);
    for (int *one = &from[0][0]; one < &from[4][0]; one++)
        *one = at++;
    omp_target_memcpy(memory, from, sizeof from[1], sizeof(int), sizeof from[0], here, here);
    const size_t volume[] = {2, 2}, target[] = {1, 0}, source[] = {2, 3}, target_sizes[] = {3, 3},
                 source_sizes[] = {4, 5};
    const int failed = omp_target_memcpy_rect(to, from, sizeof(int), 2, volume, target, source, target_sizes,
                                              source_sizes, here, here);
    printf("copies %d %d, %d: %d %d %d %d %d\n", memory[1], memory[5], failed, to[0][0], to[1][0], to[1][1],
           to[2][0], to[2][1]);
    omp_target_free(memory, here);
}

int main(void)
{
    regions();
    teams();
    numbers();
    copies();
    return 0;
}

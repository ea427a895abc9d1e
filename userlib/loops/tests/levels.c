/* SPDX-License-Identifier: MIT
 * How many threads teams within teams have that do not say how many, and what omp_set_num_threads() changes
 * of that on its level and below. */
#include <omp.h>
#include <stdio.h>

enum { levels = 4 };

/* Each level has a team of as many threads as it tells; its number 0 goes on. */
static void within(int level, int setting_level, int threads)
{
    if (level == setting_level)
        omp_set_num_threads(threads);
    printf(" %d", omp_get_max_threads());
    if (level == levels)
        return;
#pragma omp parallel
#pragma omp master
    {
        printf("(%d)", omp_get_num_threads());
        within(level + 1, setting_level, threads);
    }
}

int main(void)
{
    for (int setting_level = levels; setting_level >= 0; setting_level--) {
        within(0, setting_level, 4);
        printf("\n");
    }
    printf("several levels: %d\n", omp_get_max_active_levels() > levels);
    omp_display_env(0);
    return 0;
}

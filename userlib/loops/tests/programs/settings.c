/* SPDX-License-Identifier: MIT
 * What a task sets is its own and its tasks'; prints what is the same with any runtime and any number of
 * threads. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int before = 0, within = 0, of_child = 0, behind = 0, queued = 0, done = 0;
    omp_set_num_threads(4);
#pragma omp parallel num_threads(2)
    {
        const int is_waiting = omp_get_num_threads() == 2;
#pragma omp single
        {
            omp_set_num_threads(5);
#pragma omp task shared(queued, done)
            {
                queued = omp_get_max_threads();
#pragma omp atomic write release
                done = 1;
            }
            /* So another thread runs it. */
            for (int seen = !is_waiting; !seen;) {
#pragma omp atomic read acquire
                seen = done;
            }
        }
    }
#pragma omp parallel num_threads(1)
    {
        omp_set_num_threads(6);
#pragma omp task if (0) shared(before, within, of_child)
        {
            before = omp_get_max_threads();
            omp_set_num_threads(7);
            within = omp_get_max_threads();
#pragma omp task if (0) shared(of_child)
            {
                of_child = omp_get_max_threads();
                omp_set_num_threads(8);
            }
            within = within * 10 + omp_get_max_threads();
        }
        behind = omp_get_max_threads();
    }
    printf("settings %d %d %d %d %d, queued %d\n", before, within, of_child, behind, omp_get_max_threads(),
           queued);
    return 0;
}

/* SPDX-License-Identifier: MIT
 * What a task sets is its own and its tasks'; prints what is the same with any runtime and any number of
 * threads. */
#include <omp.h>
#include <stdio.h>

/* What a thread of a team of two sets is not for the tasks of the other, also where it runs them. */
static void of_another_thread(void)
{
    int threads = 0, levels = 0, device = 0, chunk = 0, size = 0, of_child = 0, kept = 0, done = 0;
    omp_sched_t kind = omp_sched_auto;
    omp_set_max_active_levels(2);
    omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel num_threads(2)
    {
        const int is_waiting = omp_get_num_threads() == 2;
        if (omp_get_thread_num() == 1) {
            omp_set_num_threads(7);
            omp_set_max_active_levels(5);
            omp_set_default_device(9);
            omp_set_schedule(omp_sched_static, 6);
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
#pragma omp task shared(threads, levels, device, kind, chunk, size, of_child, done)
            {
                threads = omp_get_max_threads();
                levels = omp_get_max_active_levels();
                device = omp_get_default_device();
                omp_get_schedule(&kind, &chunk);
#pragma omp parallel reduction(+ : size)
                size++;
#pragma omp task if (0) shared(of_child)
                of_child = omp_get_max_threads();
                omp_set_num_threads(6);
#pragma omp atomic write release
                done = 1;
            }
            /* So the other thread runs it. */
            for (int seen = !is_waiting; !seen;) {
#pragma omp atomic read acquire
                seen = done;
            }
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1)
            kept = omp_get_max_threads() * 10 + omp_get_max_active_levels();
    }
    printf("of another %d %d %d %d %d, a team of %d, child %d, kept %d\n", threads, levels, device,
           (int)(kind & 7), chunk, size, of_child, kept);
    omp_set_max_active_levels(1);
}

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
    of_another_thread();
    return 0;
}

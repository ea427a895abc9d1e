/* SPDX-License-Identifier: MIT
 * A loop of many iterations that depend on each other; prints the most memory, in KiB, that the program has
 * had when the first of them runs, before any is posted, and when all are done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long most_memory(void)
{
    char line[256];
    long most = -1;
    FILE *const status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            most = atol(line + 6);
    if (status != NULL)
        fclose(status);
    return most;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 0;
    long first = 0;
#pragma omp parallel for ordered(1) schedule(static)
    for (long i = 0; i < count; i++) {
#pragma omp ordered depend(sink : i - 1)
        if (i == 0)
            first = most_memory();
#pragma omp ordered depend(source)
    }
    printf("%ld %ld\n", first, most_memory());
    return 0;
}

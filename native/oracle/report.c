/* SPDX-License-Identifier: MIT */
/* What programs report goes to the file that ORACLE_ROWS names, a line of JSON each, in the words of a run's
 * record; without it nowhere. */
#include "native/oracle/mail.h"
#include "userlib/nx/statistics.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nx_report(const char *name, long bytes, const char *access, const char *unit, const double *samples,
               long count)
{
    const char *path = getenv("ORACLE_ROWS");
    if (!path || !*path)
        return;
    double *sorted = malloc((size_t)count * sizeof *sorted);
    FILE *file = fopen(path, "a");
    if (!sorted || !file)
        mail_fail("what it reports cannot be written to %s", path);
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    const struct nx_spread spread = nx_spread_of(sorted, count);
    free(sorted);
    fprintf(file,
            "{\"node\": %d, \"name\": \"%s\", \"bytes\": %ld, \"access\": \"%s\", \"unit\": \"%s\", "
            "\"samples\": %ld, \"median\": %.17g}\n",
            mail_rank, name, bytes, access ? access : "", unit, count, spread.median);
    if (fclose(file) != 0)
        mail_fail("what it reports cannot be written to %s", path);
}

/* SPDX-License-Identifier: MIT */
#include "interval.h"

#include "tail.h"

#include <math.h>

static const long double lowest = 0, highest = 10;
static const long double first_level = 1 / 3.0L, last_level = 1e-9L;
const long double interval_epsilon = 1e-15L;

/* The ends are rounded: 16 stages of 9 processes, exactly 1e-16 of the interval, may leave a little more. No
 * other number of processes comes closer than a tenth. */
static const long double rounding = 1.01L;

long double root_level(long root)
{
    return first_level * powl(last_level / first_level, (long double)root / (root_count - 1));
}

struct interval interval_for(long root)
{
    const long double level = root_level(root);
    return (struct interval){lowest, highest, tail_probability(lowest, 0) - level,
                             tail_probability(highest, 0) - level};
}

long double interval_point(const struct interval *interval, long process, long processes)
{
    return interval->low +
           (interval->high - interval->low) * (long double)process / (long double)(processes + 1);
}

/* The test holds for rising and for falling functions: the documents say rising, and theirs falls. */
int interval_find(struct interval *interval, const long double *values, long processes)
{
    long double below = interval->at_low;
    for (long part = 0; part <= processes; part++) {
        const long double above = part == processes ? interval->at_high : values[part];
        if ((below > 0) != (above > 0)) {
            const struct interval whole = *interval;
            interval->low = part == 0 ? whole.low : interval_point(&whole, part, processes);
            interval->high = part == processes ? whole.high : interval_point(&whole, part + 1, processes);
            interval->at_low = below;
            interval->at_high = above;
            return 1;
        }
        below = above;
    }
    return 0;
}

int interval_is_found(const struct interval *interval)
{
    return interval->high - interval->low <= interval_epsilon * rounding;
}

long interval_stages(long processes)
{
    long double width = highest - lowest;
    long stages = 0;
    for (; width > interval_epsilon * rounding; stages++)
        width /= (long double)(processes + 1);
    return stages;
}

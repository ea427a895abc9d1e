/* SPDX-License-Identifier: MIT */
/* The collective calls of Fortran. Integer reductions work on INTEGER*4, those of C on long. */
#include "userlib/collective/operators.h"
#include "userlib/collective/reduce.h"
#include "userlib/fortran/binding.h"
#include "userlib/nx/this_process.h"

#include <nx.h>

NX_ARITHMETIC(NX_FORTRAN_REDUCTION, d, double)
NX_ARITHMETIC(NX_FORTRAN_REDUCTION, s, float)
NX_ARITHMETIC(NX_INTEGER_REDUCTION, i, int)
NX_BITWISE(NX_INTEGER_REDUCTION, int)
NX_LOGICAL(NX_INTEGER_REDUCTION, int)

void gsync_(void)
{
    gsync();
}

void nx_narrow_gcol(void *x, long bytes, void *y, long y_bytes, int *count)
{
    long whole;
    gcol(x, bytes, y, y_bytes, &whole);
    if (count)
        *count = (int)whole;
}

long nx_narrow__gcol(void *x, long bytes, void *y, long y_bytes, int *count)
{
    long whole;
    const long value = _gcol(x, bytes, y, y_bytes, &whole);
    if (value >= 0 && count)
        *count = (int)whole;
    return value;
}

void gcol_(void *x, const int *bytes, void *y, const int *y_bytes, int *count)
{
    nx_narrow_gcol(x, *bytes, y, *y_bytes, count);
}

void gcolx_(void *x, const int lengths[], void *y)
{
    nx_narrow_gcolx(x, lengths, y);
}

static void widen(long to[], const int from[])
{
    for (int node = 0; node < nx_process.nodes; node++)
        to[node] = from[node];
}

void nx_narrow_gcolx(void *x, const int lengths[], void *y)
{
    long wide[nx_process.nodes];
    widen(wide, lengths);
    gcolx(x, wide, y);
}

long nx_narrow__gcolx(void *x, const int lengths[], void *y)
{
    long wide[nx_process.nodes];
    widen(wide, lengths);
    return _gcolx(x, wide, y);
}

/* The program's subroutine leaves nothing in the result register; gopf does not look. */
void gopf_(void *x, const int *bytes, void *work, long (*combine)(char *x, char *work))
{
    gopf(x, *bytes, work, combine);
}

/* SPDX-License-Identifier: MIT */
/* The reductions of C, whose integers are long. */
#include "userlib/collective/operators.h"
#include "userlib/collective/reduce.h"

#include <nx.h>

NX_ARITHMETIC(NX_REDUCTION, d, double)
NX_ARITHMETIC(NX_REDUCTION, s, float)
NX_ARITHMETIC(NX_REDUCTION, i, long)
NX_BITWISE(NX_REDUCTION, long)
NX_LOGICAL(NX_REDUCTION, long)

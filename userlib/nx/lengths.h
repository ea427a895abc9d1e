/* SPDX-License-Identifier: MIT */
/* What lengths and counts of NX calls may be. They are read whole, unlike other integers, of which only the
 * low 32 bits are: a length that was cut would move other bytes than the program asked for. */
#ifndef PARLEY_NX_LENGTHS_H
#define PARLEY_NX_LENGTHS_H

#include "interface/limits.h"

/* False: the call is refused with nx_error_bad_length. */
static inline int nx_is_length(long value)
{
    return (unsigned long)value <= PARLEY_MAX_MESSAGE;
}

#endif

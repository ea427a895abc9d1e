/* SPDX-License-Identifier: MIT */
/* What an OPEN or a CLOSE of a unit calls first, once GOPEN has opened one; null until then. */
#ifndef PARLEY_FORTRAN_UNITS_H
#define PARLEY_FORTRAN_UNITS_H

extern void (*nx_forget_unit)(int unit);

/* What gfortran hands to a statement begins with its flags and the number of its unit (struct
 * st_parameter_common of libgfortran). An OPEN with NEWUNIT= has a flag for that, and no number yet. */
static inline void nx_tell_of_unit(const void *statement)
{
    enum { has_newunit = 1 << 23 };
    const int *const common = statement;
    if (nx_forget_unit && !(common[0] & has_newunit))
        nx_forget_unit(common[1]);
}

#endif

/* SPDX-License-Identifier: MIT */
/* What an OPEN or a CLOSE of a unit calls first, once GOPEN has opened one; null until then. */
#ifndef PARLEY_FORTRAN_UNITS_H
#define PARLEY_FORTRAN_UNITS_H

extern void (*nx_forget_unit)(int unit);

/* What gfortran hands to a statement begins with its flags and the number of its unit (struct
 * st_parameter_common of libgfortran). */
static inline void nx_tell_of_unit(const void *statement)
{
    if (nx_forget_unit)
        nx_forget_unit(((const int *)statement)[1]);
}

#endif

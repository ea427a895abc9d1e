/* SPDX-License-Identifier: MIT */
/* gfortran knows an intrinsic MCLOCK (microseconds of processor time) and calls it wherever an old program
 * says MCLOCK() without EXTERNAL. The program means NX's milliseconds. libnx stands before libgfortran on the
 * linker's command line, so the intrinsic's entry points are found here. */
#include <nx.h>

#include "userlib/fortran/binding.h"

int _gfortran_mclock(void)
{
    return (int)mclock();
}

int64_t _gfortran_mclock8(void)
{
    return (int64_t)mclock();
}

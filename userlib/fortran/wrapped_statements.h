/* SPDX-License-Identifier: MIT */
/* Which functions of the Fortran library libnx stands before, and what it does before and after each.
 * READ and WRITE are several calls with the program's own code between them, and hold the unit all the time:
 * handlers, which may write too, wait for the end of the statement. A unit that GOPEN has opened ends with
 * its CLOSE, and with an OPEN of its number. Each function takes the `statement` that gfortran has made. */
#ifndef PARLEY_FORTRAN_WRAPPED_STATEMENTS_H
#define PARLEY_FORTRAN_WRAPPED_STATEMENTS_H

#include "userlib/fortran/units.h"
#include "userlib/nx/handlers.h"

#define NX_WRAPPED_STATEMENTS(X)                  \
    X(read, nx_hold_handlers(), (void)0)          \
    X(read_done, (void)0, nx_release_handlers())  \
    X(write, nx_hold_handlers(), (void)0)         \
    X(write_done, (void)0, nx_release_handlers()) \
    X(open, nx_tell_of_unit(statement), (void)0)  \
    X(close, nx_tell_of_unit(statement), (void)0)

#endif

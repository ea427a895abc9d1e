/* SPDX-License-Identifier: MIT */
/* Fortran's READ and WRITE are several calls of the Fortran library with the program's own code between
 * them, and hold the unit all the time: handlers, which may write too, wait for the end of the statement.
 * A unit that GOPEN has opened ends with its CLOSE, and with an OPEN of its number. The wrappers have the
 * linker put these functions in the place of the library's. */
#include "userlib/fortran/units.h"
#include "userlib/nx/handlers.h"

#define NX_STATEMENT(name)                             \
    void __real__gfortran_st_##name(void *);           \
    void __wrap__gfortran_st_##name(void *);           \
    void __wrap__gfortran_st_##name(void *unit)        \
    {                                                  \
        nx_hold_handlers();                            \
        __real__gfortran_st_##name(unit);              \
    }                                                  \
    void __real__gfortran_st_##name##_done(void *);    \
    void __wrap__gfortran_st_##name##_done(void *);    \
    void __wrap__gfortran_st_##name##_done(void *unit) \
    {                                                  \
        __real__gfortran_st_##name##_done(unit);       \
        nx_release_handlers();                         \
    }

NX_STATEMENT(read)
NX_STATEMENT(write)

#define NX_UNIT_STATEMENT(name)                 \
    void __real__gfortran_st_##name(void *);    \
    void __wrap__gfortran_st_##name(void *);    \
    void __wrap__gfortran_st_##name(void *unit) \
    {                                           \
        nx_tell_of_unit(unit);                  \
        __real__gfortran_st_##name(unit);       \
    }

NX_UNIT_STATEMENT(open)
NX_UNIT_STATEMENT(close)

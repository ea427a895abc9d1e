/* SPDX-License-Identifier: MIT */
/* Fortran's READ and WRITE are several calls of the Fortran library with the program's own code between
 * them, and hold the unit all the time: handlers, which may write too, wait for the end of the statement.
 * The wrappers have the linker put these functions in the place of the library's. */
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

/* SPDX-License-Identifier: MIT */
/* The wrappers have the linker put these functions in the place of the Fortran library's. */
#include "userlib/fortran/wrapped_statements.h"

#define NX_STATEMENT(name, before, after)            \
    void __real__gfortran_st_##name(void *);         \
    void __wrap__gfortran_st_##name(void *);         \
    void __wrap__gfortran_st_##name(void *statement) \
    {                                                \
        before;                                      \
        __real__gfortran_st_##name(statement);       \
        after;                                       \
    }
NX_WRAPPED_STATEMENTS(NX_STATEMENT)

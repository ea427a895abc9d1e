/* SPDX-License-Identifier: MIT */
/* The shared libnx beside the Fortran library, which a program in C does not have. libnx.so comes before it,
 * so it can take the places of functions of that by their own names (userlib/fortran/wrapped_statements.h
 * says which and why; in a static program the wrappers' linker does it), and finds those that it needs itself
 * when they are called. */
#define _GNU_SOURCE

#include "userlib/fortran/wrapped_statements.h"
#include "userlib/nx/failure.h"

#include <dlfcn.h>

static void *fortran_function(const char *name)
{
    void *const function = dlsym(RTLD_NEXT, name);
    if (!function)
        nx_end(
            "parley: the shared libnx needs the shared Fortran library: link without -static-libgfortran\n");
    return function;
}

#define NX_STATEMENT(name, before, after)                   \
    void _gfortran_st_##name(void *statement);              \
    void _gfortran_st_##name(void *statement)               \
    {                                                       \
        static void (*real)(void *);                        \
        if (!real)                                          \
            real = fortran_function("_gfortran_st_" #name); \
        before;                                             \
        real(statement);                                    \
        after;                                              \
    }
NX_WRAPPED_STATEMENTS(NX_STATEMENT)

/* What userlib/fortran/files.c calls: the linker sends it here (native.mk). */
void __wrap__gfortran_flush_i4(const int *unit);
int __wrap__gfortran_fnum_i4(const int *unit);

void __wrap__gfortran_flush_i4(const int *unit)
{
    ((void (*)(const int *))fortran_function("_gfortran_flush_i4"))(unit);
}

int __wrap__gfortran_fnum_i4(const int *unit)
{
    return ((int (*)(const int *))fortran_function("_gfortran_fnum_i4"))(unit);
}

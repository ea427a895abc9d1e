/* SPDX-License-Identifier: MIT */
/* The shared libnx beside the Fortran library, which a program in C does not have. libnx.so comes before it,
 * so it can take the places of the functions that make a READ, a WRITE, an OPEN or a CLOSE by their own names
 * (userlib/fortran/statements.c says why; there the wrappers' linker does it), and finds those that it needs
 * itself when they are called. */
#define _GNU_SOURCE

#include "userlib/fortran/units.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handlers.h"

#include <dlfcn.h>

static void *fortran_function(const char *name)
{
    void *const function = dlsym(RTLD_NEXT, name);
    if (!function)
        nx_end(
            "parley: the shared libnx needs the shared Fortran library: link without -static-libgfortran\n");
    return function;
}

#define NX_STATEMENT_PART(name, before, after)              \
    void _gfortran_st_##name(void *unit);                   \
    void _gfortran_st_##name(void *unit)                    \
    {                                                       \
        static void (*real)(void *);                        \
        if (!real)                                          \
            real = fortran_function("_gfortran_st_" #name); \
        before;                                             \
        real(unit);                                         \
        after;                                              \
    }
#define NX_STATEMENT(name)                               \
    NX_STATEMENT_PART(name, nx_hold_handlers(), (void)0) \
    NX_STATEMENT_PART(name##_done, (void)0, nx_release_handlers())

NX_STATEMENT(read)
NX_STATEMENT(write)
NX_STATEMENT_PART(open, nx_tell_of_unit(unit), (void)0)
NX_STATEMENT_PART(close, nx_tell_of_unit(unit), (void)0)

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

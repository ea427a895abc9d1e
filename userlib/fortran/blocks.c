/* SPDX-License-Identifier: MIT */
/* Blocks of the shared region for Fortran. An address is an INTEGER*8, a type(c_ptr) or a Cray pointer's
 * pointer: all three are eight bytes that hold it (examples: fnx.h). */
#include <nx.h>

#include "userlib/fortran/binding.h"

int64_t nxalloc_(const int *bytes)
{
    return (int64_t)nx_alloc(*bytes);
}

void nxfree_(const int64_t *block)
{
    nx_free((void *)*block);
}

void crecvp_(const int *typesel, int64_t *block, const int *maximum)
{
    void *buffer = (void *)*block;
    crecvp(*typesel, &buffer, *maximum);
    *block = (int64_t)buffer;
}

/* csend of a block by its address: what one writes csend(type, array, ...) for when the array is not
 * associated. */
void csendp_(const int *type, const int64_t *block, const int *length, const int *node, const int *pid)
{
    csend(*type, (const void *)*block, *length, *node, *pid);
}

int nxhandsover_(void)
{
    return (int)nx_hands_over();
}

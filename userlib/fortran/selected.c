/* SPDX-License-Identifier: MIT */
/* The Fortran names of the calls that choose a sender; their info arrays are INTEGER*4. */
#include <nx.h>

#include "userlib/fortran/binding.h"
#include "userlib/nx/companions.h"

static void narrow(int to[8], const long from[8])
{
    for (int i = 0; i < 4; i++)
        to[i] = (int)from[i];
}

void crecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
             int info[8])
{
    long wide[8];
    crecvx(*typesel, buffer, *maximum, *nodesel, *pidsel, wide);
    narrow(info, wide);
}

int iprobex_(const int *typesel, const int *nodesel, const int *pidsel, int info[8])
{
    long wide[8];
    int found = (int)iprobex(*typesel, *nodesel, *pidsel, wide);
    if (found)
        narrow(info, wide);
    return found;
}

void cprobex_(const int *typesel, const int *nodesel, const int *pidsel, int info[8])
{
    long wide[8];
    cprobex(*typesel, *nodesel, *pidsel, wide);
    narrow(info, wide);
}

int irecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
            int info[8])
{
    long id = irecvx(*typesel, buffer, *maximum, *nodesel, *pidsel, msginfo);
    nx_find_companion(id)->narrow = info;
    return (int)id;
}

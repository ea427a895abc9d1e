/* SPDX-License-Identifier: MIT */
/* The calls that choose a sender, with info arrays of int: what C makes of a call with pointers to int
 * (nx_narrow.h), and the Fortran names, whose info arrays are INTEGER*4. */
#include <nx.h>

#include "userlib/fortran/binding.h"
#include "userlib/nx/companions.h"

static void narrow(int to[8], const long from[8])
{
    for (int i = 0; i < 4; i++)
        to[i] = (int)from[i];
}

void nx_narrow_crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8])
{
    long wide[8];
    crecvx(typesel, buffer, maximum, nodesel, pidsel, wide);
    narrow(info, wide);
}

long nx_narrow__crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8])
{
    long wide[8];
    const long value = _crecvx(typesel, buffer, maximum, nodesel, pidsel, wide);
    if (value >= 0)
        narrow(info, wide);
    return value;
}

long nx_narrow_iprobex(long typesel, long nodesel, long pidsel, int info[8])
{
    long wide[8];
    const long found = iprobex(typesel, nodesel, pidsel, wide);
    if (found > 0)
        narrow(info, wide);
    return found;
}

long nx_narrow__iprobex(long typesel, long nodesel, long pidsel, int info[8])
{
    long wide[8];
    const long found = _iprobex(typesel, nodesel, pidsel, wide);
    if (found > 0)
        narrow(info, wide);
    return found;
}

void nx_narrow_cprobex(long typesel, long nodesel, long pidsel, int info[8])
{
    long wide[8];
    cprobex(typesel, nodesel, pidsel, wide);
    narrow(info, wide);
}

long nx_narrow__cprobex(long typesel, long nodesel, long pidsel, int info[8])
{
    long wide[8];
    const long value = _cprobex(typesel, nodesel, pidsel, wide);
    if (value >= 0)
        narrow(info, wide);
    return value;
}

/* Where the long numbers go of a receive whose info array is of int. */
static long nowhere[8];

static long with_narrow(long id, int info[8])
{
    if (id > 0 && info)
        nx_find_companion(id)->narrow = info;
    return id;
}

long nx_narrow_irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8])
{
    return with_narrow(irecvx(typesel, buffer, maximum, nodesel, pidsel, info ? nowhere : 0), info);
}

long nx_narrow__irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8])
{
    return with_narrow(_irecvx(typesel, buffer, maximum, nodesel, pidsel, info ? nowhere : 0), info);
}

void crecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
             int info[8])
{
    nx_narrow_crecvx(*typesel, buffer, *maximum, *nodesel, *pidsel, info);
}

int iprobex_(const int *typesel, const int *nodesel, const int *pidsel, int info[8])
{
    return (int)nx_narrow_iprobex(*typesel, *nodesel, *pidsel, info);
}

void cprobex_(const int *typesel, const int *nodesel, const int *pidsel, int info[8])
{
    nx_narrow_cprobex(*typesel, *nodesel, *pidsel, info);
}

/* Fortran cannot name msginfo, so the info calls are to answer as well. */
int irecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
            int info[8])
{
    return (int)with_narrow(irecvx(*typesel, buffer, *maximum, *nodesel, *pidsel, msginfo), info);
}

/* SPDX-License-Identifier: MIT */
/* The Fortran names of the calls about place, time and the last message. */
#include <nx.h>

#include "userlib/fortran/binding.h"

#define NX_FORTRAN_PLAIN(name) \
    int name##_(void)          \
    {                          \
        return (int)name();    \
    }

NX_FORTRAN_PLAIN(mynode)
NX_FORTRAN_PLAIN(myphysnode)
NX_FORTRAN_PLAIN(numnodes)
NX_FORTRAN_PLAIN(mypid)
NX_FORTRAN_PLAIN(myptype)
NX_FORTRAN_PLAIN(myhost)
NX_FORTRAN_PLAIN(nodedim)
NX_FORTRAN_PLAIN(infocount)
NX_FORTRAN_PLAIN(infonode)
NX_FORTRAN_PLAIN(infotype)
NX_FORTRAN_PLAIN(infopid)
NX_FORTRAN_PLAIN(infoptype)
NX_FORTRAN_PLAIN(mclock)

double dclock_(void)
{
    return dclock();
}

int gray_(const int *number)
{
    return (int)gray(*number);
}

int ginv_(const int *code)
{
    return (int)ginv(*code);
}

void flick_(void)
{
    flick();
}

void led_(const int *on)
{
    led(*on);
}

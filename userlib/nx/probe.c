/* SPDX-License-Identifier: MIT */
#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/operations.h"

#include <nx.h>

/* 1 and info filled, 0, or minus an error. */
NX_INLINE long probe(enum parley_probe how, long typesel, long nodesel, long pidsel, long info[8])
{
    const struct parley_receive_status found =
        nx_probe((int)typesel, how, (int)nodesel, nx_address(pidsel, nx_program));
    if (found.contents >= 0)
        nx_note_found(info, found);
    return nx_yes_or_no(found);
}

static long checked(const char *call, long typesel, long value)
{
    if (value < 0)
        nx_fail_receive(call, typesel, 0, nx_any, nx_any, -value);
    return value;
}

static long returned(long value)
{
    return value < 0 ? nx_set_errno(-value) : value;
}

long iprobe(long typesel)
{
    return checked("iprobe", typesel, probe(parley_probe_looks, typesel, nx_any, nx_any, msginfo));
}

long _iprobe(long typesel)
{
    return returned(probe(parley_probe_looks, typesel, nx_any, nx_any, msginfo));
}

void cprobe(long typesel)
{
    checked("cprobe", typesel, probe(parley_probe_waits, typesel, nx_any, nx_any, msginfo));
}

long _cprobe(long typesel)
{
    return returned(probe(parley_probe_waits, typesel, nx_any, nx_any, msginfo)) < 0 ? -1 : 0;
}

long iprobex(long typesel, long nodesel, long pidsel, long info[8])
{
    return checked("iprobex", typesel, probe(parley_probe_looks, typesel, nodesel, pidsel, info));
}

long _iprobex(long typesel, long nodesel, long pidsel, long info[8])
{
    return returned(probe(parley_probe_looks, typesel, nodesel, pidsel, info));
}

void cprobex(long typesel, long nodesel, long pidsel, long info[8])
{
    checked("cprobex", typesel, probe(parley_probe_waits, typesel, nodesel, pidsel, info));
}

long _cprobex(long typesel, long nodesel, long pidsel, long info[8])
{
    return returned(probe(parley_probe_waits, typesel, nodesel, pidsel, info)) < 0 ? -1 : 0;
}

/* SPDX-License-Identifier: MIT */
/* gsync: nobody leaves before everybody has come. */
#include "userlib/collective/tree.h"

#include <nx.h>

void gsync(void)
{
    nx_meet(parley_library_call_gsync);
}

long _gsync(void)
{
    gsync();
    return 0;
}

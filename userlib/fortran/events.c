/* SPDX-License-Identifier: MIT */
/* CALL NXEVENT(NUMBER, VALUE): an event of the program's own. */
#include <nx.h>

void nxevent_(const int *number, const int *value);

void nxevent_(const int *number, const int *value)
{
    nx_event(*number, *value);
}

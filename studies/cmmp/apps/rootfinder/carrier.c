/* SPDX-License-Identifier: MIT */
#include "carrier.h"

const char *carrier_name(enum carrier_kind kind)
{
    static const char *const names[carrier_kinds] = {"semaphores", "messages", "collective"};
    return names[kind];
}

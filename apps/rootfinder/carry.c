/* SPDX-License-Identifier: MIT */
#include "carry.h"

const char *carry_name(enum carry_kind kind)
{
    static const char *const names[carry_kinds] = {"semaphores", "messages", "collective"};
    return names[kind];
}

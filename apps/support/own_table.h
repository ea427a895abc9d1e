/* SPDX-License-Identifier: MIT */
/* A program's own table of what it reports: printed where the run makes none of it (on a PC, and with
 * QUIET=1), so that a result is never shown twice. */
#ifndef PARLEY_APPS_OWN_TABLE_H
#define PARLEY_APPS_OWN_TABLE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static inline int own_table(void)
{
    return getenv("PARLEY_TABLE") == 0;
}

__attribute__((format(printf, 1, 2))) static inline void table_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (own_table())
        vprintf(format, arguments);
    va_end(arguments);
}

#endif

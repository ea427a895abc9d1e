/* SPDX-License-Identifier: MIT */
/* Functions with any number of arguments as they were written before ANSI C: f(va_alist) va_dcl { ... }.
 * The compiler has forgotten them, so this spells out every register that can carry an argument. Named
 * arguments before va_alist work with up to five further integers. */
#ifndef PARLEY_VARARGS_H
#define PARLEY_VARARGS_H

#include <stdarg.h>

/* Callers pass fewer arguments than are named here; nothing may be concluded from that. */
#pragma GCC optimize("no-inline", "no-ipa-cp", "no-ipa-sra", "no-ipa-ra")

struct nx_registers {
    long integers[6];
    double reals[8][2];
};

#define va_alist \
    nx_i0, nx_i1, nx_i2, nx_i3, nx_i4, nx_i5, nx_d0, nx_d1, nx_d2, nx_d3, nx_d4, nx_d5, nx_d6, nx_d7, nx_more
#define va_dcl                                              \
    long nx_i0, nx_i1, nx_i2, nx_i3, nx_i4, nx_i5, nx_more; \
    double nx_d0, nx_d1, nx_d2, nx_d3, nx_d4, nx_d5, nx_d6, nx_d7;

#undef va_start
#define va_start(list)                                                                                       \
    ((list)[0].gp_offset = 0, (list)[0].fp_offset = sizeof(long[6]), (list)[0].overflow_arg_area = &nx_more, \
     (list)[0].reg_save_area =                                                                               \
         &(struct nx_registers){{nx_i0, nx_i1, nx_i2, nx_i3, nx_i4, nx_i5},                                  \
                                {{nx_d0}, {nx_d1}, {nx_d2}, {nx_d3}, {nx_d4}, {nx_d5}, {nx_d6}, {nx_d7}}})

#endif

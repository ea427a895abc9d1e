/* SPDX-License-Identifier: MIT */
/* What a proxy call leaves in its registers (interface/proxies.h). After an error all but the first
 * are as they were before. */
#ifndef PARLEY_NX_REGISTERS_H
#define PARLEY_NX_REGISTERS_H

struct nx_registers {
    long value; /* rax: the answer, or minus an error */
    long rdx;
    long r10;
    long r8;
    long r9;
};

#endif

/* SPDX-License-Identifier: MIT */
/* What every messages operation answers (kernel/interface/proxies.h): value is the result, or minus an error.
 * */
#ifndef PARLEY_NX_REPLY_H
#define PARLEY_NX_REPLY_H

struct parley_reply {
    long value;
    long type;
    long block;
    long node;
    long pid;
};

#endif

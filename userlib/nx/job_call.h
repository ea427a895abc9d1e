/* SPDX-License-Identifier: MIT */
/* Calls on the process's own job. */
#ifndef PARLEY_NX_JOB_CALL_H
#define PARLEY_NX_JOB_CALL_H

#include "userlib/nx/operations.h"

#define NX_JOB(method, a, b, c, d) \
    nx_proxy_call(nx_method_job_##method, nx_process.job_proxy, (long)(a), (long)(b), (long)(c), (long)(d), 0)

#endif

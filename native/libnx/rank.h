/* SPDX-License-Identifier: MIT */
/* This process as a rank of a native job. */
#ifndef PARLEY_NATIVE_RANK_H
#define PARLEY_NATIVE_RANK_H

#include "native/interface/native_job.h"

/* The job area, which is mapped from start-up on. */
static inline struct parley_native_job* nx_native_job(void)
{
    return (struct parley_native_job*)PARLEY_NATIVE_JOB_BASE;
}

/* The socket to nxrun. */
extern int nx_socket __attribute__((visibility("hidden")));

#endif

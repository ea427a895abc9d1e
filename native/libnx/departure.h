/* SPDX-License-Identifier: MIT */
/* A rank that its own job ends, as its start-up sees it. */
#ifndef PARLEY_NATIVE_LIBNX_DEPARTURE_H
#define PARLEY_NATIVE_LIBNX_DEPARTURE_H

#include "native/interface/native_job.h"

/* From now on this rank may be told to end (native/interface/departure.h). Before it joins. */
__attribute__((visibility("hidden"))) void nx_listen_for_the_end(struct parley_native_place* place);

#endif

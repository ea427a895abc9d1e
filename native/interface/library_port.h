/* SPDX-License-Identifier: MIT */
/* What the message library has on Linux beside its table (library.h: parley_library.port). */
#ifndef PARLEY_NATIVE_LIBRARY_PORT_H
#define PARLEY_NATIVE_LIBRARY_PORT_H

#include "interface/library.h"
#include "native/interface/departure.h"
#include "native/interface/job_semaphores.h"

struct parley_native_port {
    struct parley_native_departure departure;
    const struct parley_native_semaphores* semaphores;
};

static inline const struct parley_native_port* parley_native_port_of(const struct parley_library* library)
{
    return (const struct parley_native_port*)library->port;
}

#endif

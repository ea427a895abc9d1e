/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/nx/proxy_call.h on Linux: what the kernel would do is a function,
 * native/libnx/calls.c. */
#ifndef PARLEY_NX_PROXY_CALL_H
#define PARLEY_NX_PROXY_CALL_H

#include "interface/proxies.h"
#include "userlib/nx/registers.h"

__attribute__((visibility("hidden"))) struct nx_registers nx_proxy_call(enum parley_method method,
                                                                        unsigned long proxy, long first,
                                                                        long second, long third, long fourth,
                                                                        long fifth);

#endif

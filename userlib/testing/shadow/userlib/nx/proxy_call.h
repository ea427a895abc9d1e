/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/nx/proxy_call.h for host tests: the proxy call is a function, the fake message system. */
#ifndef PARLEY_NX_PROXY_CALL_H
#define PARLEY_NX_PROXY_CALL_H

#include "interface/proxies.h"
#include "userlib/nx/registers.h"

struct nx_registers nx_proxy_call(enum parley_method method, unsigned long proxy, long first, long second,
                                  long third, long fourth, long fifth);

#endif

/* SPDX-License-Identifier: MIT */
/* Shadow of userlib/nx/proxy_call.h for host tests: the proxy call is a function, the fake message system. */
#ifndef PARLEY_NX_PROXY_CALL_H
#define PARLEY_NX_PROXY_CALL_H

#include "userlib/nx/methods.h"
#include "userlib/nx/reply.h"

struct parley_reply nx_proxy_call(enum nx_method method, unsigned long proxy, long first, long second,
                                  long third, long fourth, long fifth);

#endif

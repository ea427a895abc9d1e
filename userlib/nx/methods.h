/* SPDX-License-Identifier: MIT */
/* The methods of proxies as numbers: nx_method_messages_send and so on. */
#ifndef PARLEY_NX_METHODS_H
#define PARLEY_NX_METHODS_H

#include "kernel/interface/proxies.h"

enum nx_method {
#define NX_METHOD(class, method, number) nx_method_##class##_##method = PARLEY_PROXY_BASE + (number),
    PARLEY_PROXY_METHODS(NX_METHOD)
#undef NX_METHOD
};

#endif

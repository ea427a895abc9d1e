/* SPDX-License-Identifier: MIT */
/* Calls on kernel objects other than the message system, a function each: nx_ and its name in
 * interface/calls.def. They answer a value, or minus an error, as `contents`. */
#ifndef PARLEY_NX_PROXIES_H
#define PARLEY_NX_PROXIES_H

#include "userlib/nx/proxy_call.h"
#include "userlib/nx/this_process.h"

struct parley_row;
struct nx_gang_times;
struct parley_semaphore_counts;

/* The words of a call, with as many zeros behind them as it has places left. */
#define NX_PROXY_WORDS(...) NX_FIVE_WORDS(__VA_ARGS__, 0, 0, 0, 0, 0)
#define NX_FIVE_WORDS(a, b, c, d, e, ...) (long)(a), (long)(b), (long)(c), (long)(d), (long)(e)

#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)
#define PARLEY_CALL(class, name, number, parameters, arguments)                                      \
    static inline struct parley_receive_status nx_##name parameters {                                \
        const struct nx_registers left =                                                             \
            nx_proxy_call(parley_method_##name, nx_process.class##_proxy, NX_PROXY_WORDS arguments); \
        return (struct parley_receive_status){left.value, (unsigned long)left.rdx};                  \
    }
#include "interface/calls.def"

#endif

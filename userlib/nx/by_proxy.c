/* SPDX-License-Identifier: MIT */
/* The message calls where the message system is in the kernel: each is a proxy call. */
#include "userlib/nx/proxies.h"
#include "userlib/nx/short_ways.h"

/* What a call answers (interface/calls.def). */
static inline long answer_value(struct nx_registers left)
{
    return left.value;
}

static inline struct parley_receive_status answer_found(struct nx_registers left)
{
    return (struct parley_receive_status){left.value, (unsigned long)left.rdx};
}

static inline struct parley_receive_status answer_block(struct nx_registers left)
{
    nx_process.left.block = (unsigned long)left.r10;
    return answer_found(left);
}

#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)                                   \
    static parley_answer_##answer name##_by_proxy(void *proxy, PARLEY_WORDS parameters)                    \
    {                                                                                                      \
        return answer_##answer(                                                                            \
            nx_proxy_call(parley_method_messages_##name, (unsigned long)proxy, NX_PROXY_WORDS arguments)); \
    }
#include "interface/calls.def"

/* In kernel location there is nothing to do for what the library offers besides: the kernel does it. */
static long nothing_to_reopen(struct parley_process *self, long endpoint, long pid)
{
    (void)self, (void)endpoint, (void)pid;
    return 0;
}

static long nothing_to_vacate(struct parley_process *self, long nodes, long node, long pid, long keep)
{
    (void)self, (void)nodes, (void)node, (void)pid, (void)keep;
    return 0;
}

static void nothing_to_close(struct parley_process *self)
{
    (void)self;
}

static const struct parley_library no_library = {
    .version = PARLEY_LIBRARY_VERSION,
    .reopen = nothing_to_reopen,
    .reset = nothing_to_vacate,
    .set_pid = nothing_to_reopen,
    .close = nothing_to_close,
};

void nx_bind_proxies(void)
{
    nx_process.library = &no_library;
    nx_process.short_ways = (struct nx_short_ways){nx_csend_by_proxy, nx_crecv_by_proxy, nx_crecvp_by_proxy};
    nx_process.calls = (struct parley_calls){
        .self = (void *)nx_process.messages_proxy,
        .left = &nx_process.left,
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) .name = name##_by_proxy,
#include "interface/calls.def"
    };
}

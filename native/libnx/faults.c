/* SPDX-License-Identifier: MIT */
/* The handler runs on a stack of its own, for the program's may be what is used up, and calls nothing that
 * the fault may have found at work: it reads, sends and returns. Then the instruction is repeated with nobody
 * to handle it, so that Linux ends the process as ever, with its core file. */
#define _GNU_SOURCE

#include "native/libnx/faults.h"

#include "native/libnx/child.h"
#include "native/libnx/library_code.h"
#include "native/libnx/mappings.h"
#include "native/libnx/program_handlers.h"
#include "native/libnx/rank.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <ucontext.h>

enum { page_fault = 14, own_stack_bytes = 64 << 10, near = 64 << 10 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

/* A signal before whose handlers ours may have to stand. */
struct expectation {
    int number;
    int (*volatile is_expected)(void *context); /* null: nobody expects a fault */
    struct sigaction programs;                  /* what the program has set, while ours stands before it */
    int programs_waits;
};
static struct expectation expectations[] = {{.number = SIGSEGV}, {.number = SIGTRAP}};

static struct expectation *expectation_of(int number)
{
    for (unsigned i = 0; i < sizeof expectations / sizeof expectations[0]; i++)
        if (expectations[i].number == number)
            return &expectations[i];
    return 0;
}

/* The heavy rank's stack grows until Linux refuses; the light one's ends at a page without rights. */
static int is_of_full_stack(const struct nx_mapping *here, const struct nx_mapping *above,
                            unsigned long address, unsigned long stack_pointer)
{
    if (address + near < stack_pointer)
        return 0;
    if (here->end > address)
        return here->protection[0] == '-' && address < stack_pointer + near;
    return strcmp(above->path, "[stack]") == 0;
}

static unsigned long stack_bytes(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    if (nx_native_job()->one_domain && limit.rlim_cur > PARLEY_NATIVE_STACK_BYTES)
        return PARLEY_NATIVE_STACK_BYTES;
    return limit.rlim_cur;
}

static void look_at_mappings(struct parley_native_fault *fault, unsigned long stack_pointer)
{
    static struct nx_mappings mappings;
    static struct nx_mapping one, here, above;
    nx_open_mappings(&mappings);
    while (nx_next_mapping(&mappings, &one)) {
        if (fault->instruction >= one.start && fault->instruction < one.end) {
            fault->offset = fault->instruction - one.start + one.offset;
            memcpy(fault->file, one.path, sizeof fault->file);
        }
        if (fault->address >= one.start && fault->address < one.end)
            here = one;
        if (fault->address < one.start && above.end == 0)
            above = one;
    }
    if (fault->vector == page_fault && is_of_full_stack(&here, &above, fault->address, stack_pointer))
        fault->stack_bytes = stack_bytes();
}

static void tell(int number, const siginfo_t *info, const ucontext_t *context)
{
    static struct parley_native_request request;
    static struct parley_native_fault fault;
    const greg_t *registers = context->uc_mcontext.gregs;
    fault.signal = number;
    fault.vector = (unsigned long)registers[REG_TRAPNO];
    fault.error = (unsigned long)registers[REG_ERR];
    fault.address = (unsigned long)info->si_addr;
    fault.instruction = (unsigned long)registers[REG_RIP];
    fault.in_library = nx_is_library_code((const void *)fault.instruction);
    look_at_mappings(&fault, (unsigned long)registers[REG_RSP]);
    request.method = PARLEY_NATIVE_FAULT;
    request.bytes = sizeof fault;
    memcpy(request.payload, &fault, sizeof fault);
    (void)!send(nx_socket, &request, offsetof(struct parley_native_request, payload) + sizeof fault,
                MSG_NOSIGNAL);
}

static void faulted(int number, siginfo_t *info, void *context)
{
    const struct expectation *one = expectation_of(number);
    if (one && one->is_expected && one->is_expected(context))
        return;
    if (one && one->programs_waits) {
        nx_leave_faults(number); /* and the program's is called by the same instruction, or as told below */
    } else {
        const int is_fault = info->si_code > 0; /* nobody has sent it */
        if (is_fault && nx_is_rank())
            tell(number, info, context);
        signal(number, SIG_DFL);
        if (is_fault && number != SIGTRAP)
            return;
    }
    if (info->si_code <= 0 || number == SIGTRAP)
        raise(number); /* it comes when the handler returns */
}

static const struct sigaction *own_action(void)
{
    static struct sigaction action = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    return &action;
}

void nx_tell_faults(void)
{
    static char stack[own_stack_bytes] __attribute__((aligned(64)));
    stack_t before;
    if (sigaltstack(0, &before) == 0 && before.ss_flags & SS_DISABLE)
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0);
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action;
        if (nx_set_own_handler(signals[i], 0, &action) == 0 && action.sa_handler == SIG_DFL)
            nx_set_own_handler(signals[i], own_action(), 0);
    }
}

int nx_take_faults(int number, int (*is_expected)(void *context))
{
    struct expectation *one = expectation_of(number);
    struct sigaction action;
    one->is_expected = is_expected;
    if (nx_set_own_handler(number, own_action(), &action) < 0)
        return 0;
    if (action.sa_sigaction == faulted)
        return 1;
    one->programs = action;
    one->programs_waits = 1;
    return 1;
}

void nx_leave_faults(int number)
{
    struct expectation *one = expectation_of(number);
    if (!one->programs_waits)
        return;
    one->programs_waits = 0;
    nx_set_own_handler(number, &one->programs, 0);
}

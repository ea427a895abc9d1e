/* SPDX-License-Identifier: MIT */
/* What a program asks of the kernel when a machine is booted (interface/calls.def), on Linux: a few of
 * these calls are Linux's, the others go to nxrun, which keeps the job. */
#include "interface/errors.h"
#include "interface/results.h"
#include "native/libnx/child.h"
#include "native/libnx/interruption.h"
#include "native/libnx/rank.h"
#include "native/libnx/semaphores.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxy_call.h"
#include "userlib/nx/thread_watch.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned last_number;

static void send_request(const struct parley_native_request *request)
{
    const unsigned long head = offsetof(struct parley_native_request, payload);
    while (send(nx_socket, request, head + request->bytes, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            _exit(1); /* nxrun is no more, and ends its ranks */
}

/* The answer to the request of that number. An interruption takes the request back: what comes then is either
 * its answer all the same, or that it was interrupted. */
static struct parley_native_answer await(unsigned number)
{
    struct parley_native_answer answer;
    for (;;) {
        if (nx_sleep(nx_socket, 0) < 0) {
            const struct parley_native_request withdrawal = {.number = number};
            send_request(&withdrawal);
            continue;
        }
        const long got = recv(nx_socket, &answer, sizeof answer, MSG_DONTWAIT);
        if (got == (long)sizeof answer && answer.number == number)
            return answer;
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
            _exit(1);
    }
}

static struct nx_registers asked(struct parley_native_request *request)
{
    request->number = ++last_number;
    send_request(request);
    const struct parley_native_answer answer = await(request->number);
    return (struct nx_registers){.value = answer.value, .rdx = (long)answer.sender};
}

static struct nx_registers value(long value)
{
    return (struct nx_registers){.value = value};
}

static struct nx_registers with_payload(struct parley_native_request *request, const void *bytes, long count)
{
    if (count < 0 || count > parley_native_payload)
        return value(-nx_error_bad_argument);
    memcpy(request->payload, bytes, (unsigned long)count);
    request->bytes = (unsigned long)count;
    return asked(request);
}

static int has_end(const char *text, unsigned long bytes)
{
    return memchr(text, 0, bytes) != 0;
}

static struct nx_registers report(struct parley_native_request *request, const struct parley_row *row)
{
    if (!has_end(row->name, sizeof row->name) || !has_end(row->unit, sizeof row->unit) ||
        !has_end(row->access, sizeof row->access))
        return value(-nx_error_bad_argument);
    memcpy(request->payload, row, sizeof *row);
    request->bytes = sizeof *row;
    send_request(request);
    return value(0);
}

static struct nx_registers bound(long id)
{
    unsigned *word;
    const long delay = nx_native_bind(id, &word);
    return (struct nx_registers){.value = delay, .rdx = (long)word};
}

struct nx_registers nx_proxy_call(enum parley_method method, unsigned long proxy, long first, long second,
                                  long third, long fourth, long fifth)
{
    (void)proxy;
    if (method == parley_method_process_yield) {
        sched_yield();
        return value(0);
    }
    nx_refuse_children();
    nx_refuse_other_threads(); /* each would take the answers of the other's requests */
    struct parley_native_request request = {.method = method, .words = {first, second, third, fourth, fifth}};
    switch (method) {
    case parley_method_process_null: syscall(SYS_getppid); return value(0);
    case parley_method_results_report: return report(&request, (const struct parley_row *)first);
    case parley_method_job_load: return with_payload(&request, (const void *)first, second);
    case parley_method_job_wait_for:
    case parley_method_job_kill:
    case parley_method_job_set_pid:
    case parley_method_job_start: return asked(&request);
    case parley_method_semaphores_open: return value(nx_native_open(first, second));
    case parley_method_semaphores_bind: return bound(first);
    case parley_method_semaphores_p: return value(nx_native_p(first));
    case parley_method_semaphores_v: return value(nx_native_v(first));
    case parley_method_semaphores_v_all: return value(nx_native_v_all((const long *)first, second));
    case parley_method_semaphores_read_counts:
        return value(nx_native_read_counts((struct parley_semaphore_counts *)first));
    default: return value(-nx_error_no_such_call);
    }
}

/* SPDX-License-Identifier: MIT */
#include "userlib/nx/failure.h"

#include "interface/errors.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct description {
    int number;
    int nx_errno;
    const char *sentence;
};

static const struct description descriptions[] = {
#define NX_DESCRIPTION(name, number, nx_errno, sentence) {number, nx_errno, sentence},
    PARLEY_ERRORS(NX_DESCRIPTION)
#undef NX_DESCRIPTION
};

enum { description_count = sizeof descriptions / sizeof descriptions[0], longest_line = 512 };

/* Several errors share an errno: nx_perror wants the sentence of the one that was really set. */
static long last_error;

static const struct description *describe(long error)
{
    for (int i = 0; i < description_count; i++)
        if (descriptions[i].number == error)
            return &descriptions[i];
    return 0;
}

const char *nx_sentence(long error)
{
    const struct description *found = describe(error);
    return found ? found->sentence : "the system answered with an error that this libnx does not know";
}

long nx_set_errno(long error)
{
    const struct description *found = describe(error);
    last_error = error;
    errno = found ? found->nx_errno : EQNOACT;
    return -1;
}

__attribute__((weak)) void nx_wait_for_own_end(void) { }

/* One write, so that lines of several nodes never mix. What the program printed before comes out first. */
_Noreturn void nx_end(const char *line)
{
    nx_wait_for_own_end();
    fflush(0);
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        _exit(1);
    nx_leave();
    _exit(1);
}

struct nx_name nx_own_name(void)
{
    struct nx_name own = {"the host"}; /* its number is that of the nodes */
    if (nx_process.node != nx_process.nodes)
        snprintf(own.text, sizeof own.text, "node %d, pid %d", nx_process.node, nx_process.pid);
    return own;
}

_Noreturn void nx_end_call(const char *call, const char *sentence, const char *format, ...)
{
    char arguments[160];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    char line[longest_line];
    snprintf(line, sizeof line, "parley: %s: %s(%s): %s\n", nx_own_name().text, call, arguments, sentence);
    nx_end(line);
}

_Noreturn void nx_fail(const char *call, long error)
{
    nx_end_call(call, nx_sentence(error), "%s", "");
}

void nx_check_node_count(const char *call, long count)
{
    if (!nx_is_length(count))
        nx_end_call(call, nx_sentence(nx_error_bad_length), "to %ld nodes", count);
}

_Noreturn void nx_fail_send(const char *call, long type, long length, long node, long pid, long error)
{
    if ((int)node == -1)
        nx_end_call(call, nx_sentence(error), "type %d, %ld bytes, to all other nodes", (int)type, length);
    nx_end_call(call, nx_sentence(error), "type %d, %ld bytes, to node %d, pid %d", (int)type, length,
                (int)node, (int)pid);
}

_Noreturn void nx_fail_receive(const char *call, long typesel, long maximum, long nodesel, long pidsel,
                               long error)
{
    char sentence[longest_line];
    snprintf(sentence, sizeof sentence, "%s", nx_sentence(error));
    if (error == nx_error_message_too_long) {
        const struct parley_receive_status found =
            nx_probe((int)typesel, parley_probe_looks, (int)nodesel, nx_address(pidsel, nx_program));
        if (found.contents >= 0 && parley_receive_status_length(found) > maximum)
            snprintf(sentence, sizeof sentence, "%s: it has %ld, and comes from node %ld, pid %ld",
                     nx_sentence(error), parley_receive_status_length(found),
                     parley_receive_status_node(found), parley_receive_status_pid(found));
    }
    if ((int)typesel == -1)
        nx_end_call(call, sentence, "any type, at most %ld bytes", maximum);
    if ((int)typesel < 0)
        nx_end_call(call, sentence, "types in mask 0x%08x, at most %ld bytes", (unsigned)typesel, maximum);
    nx_end_call(call, sentence, "type %d, at most %ld bytes", (int)typesel, maximum);
}

_Noreturn void nx_fail_process(const char *call, long node, long pid, long error)
{
    nx_end_call(call, nx_sentence(error), "node %d, pid %d", (int)node, (int)pid);
}

_Noreturn void nx_fail_id(const char *call, long id, long error)
{
    nx_end_call(call, nx_sentence(error), "id %d", (int)id);
}

const char *nx_error_text(int number)
{
    const struct description *last = describe(last_error);
    if (last && last->nx_errno == number)
        return last->sentence;
    for (int i = 0; i < description_count; i++)
        if (descriptions[i].nx_errno == number)
            return descriptions[i].sentence;
    return 0;
}

void nx_perror(const char *text)
{
    const char *own = nx_error_text(errno);
    const char *sentence = own ? own : strerror(errno);
    char line[longest_line];
    snprintf(line, sizeof line, "parley: %s: %s: %s\n", nx_own_name().text, text ? text : "", sentence);
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return;
}

/* SPDX-License-Identifier: MIT */
/* load, in a file of its own: only programs that call it are host programs. */
#include "interface/option_words.h"
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/proxies.h"

#include <nx.h>
#include <string.h>

/* In the file of every program that loads others, so that the runner knows host programs when it sees them.
 * */
__attribute__((used)) static const char host_program[] = "@(#)parley: this program loads others";

/* In user location only the processes themselves know the message system, so the loader makes the program's
 * place ready before it begins: messages sent to it from now on wait for it. */
static long place(const char *name, unsigned long length, long node, long pid)
{
    long first = nx_job_load(name, length, (int)node, (int)pid).contents;
    if (first < 0)
        return first == -nx_error_bad_buffer ? -nx_error_bad_file_name : first;
    int count = (int)node == -1 ? nx_process.nodes : 1;
    for (long i = 0; i < count; i++) {
        long opened = nx_process.library->reopen(nx_process.self, first + i, (int)pid);
        if (opened < 0) { /* what has not begun is taken back */
            nx_job_kill((int)node, (int)pid, nx_messages_kept);
            return opened;
        }
    }
    return 0;
}

long nx_load_program(const char *name, unsigned long length, long node, long pid)
{
    long placed = place(name, length, node, pid);
    return placed < 0 ? placed : nx_job_start((int)node, (int)pid).contents;
}

long nx_listed_node(const struct nx_node_list *list, long place)
{
    return list->nodes ? list->nodes[place] : list->narrow ? list->narrow[place] : place;
}

long nx_load_list(const char *name, unsigned long length, const struct nx_node_list *list, long pid)
{
    for (long i = 0; i < list->count; i++) {
        long placed = place(name, length, nx_listed_node(list, i), pid);
        if (placed < 0) {
            while (i-- > 0)
                nx_job_kill((int)nx_listed_node(list, i), (int)pid, nx_messages_kept);
            return placed;
        }
    }
    /* Each has its place, so none can be refused. */
    for (long i = 0; i < list->count; i++)
        nx_job_start((int)nx_listed_node(list, i), (int)pid);
    return list->count;
}

_Noreturn void nx_fail_load(long node, long pid, long error)
{
    const char *sentence =
        error == nx_error_not_permitted ? "only a job's host program loads others (" PARLEY_ASK_HOST ")"
        : error == nx_error_bad_process ? "there is no such process on that node; " PARLEY_ASK_PIDS
                                          " says how many each node has"
                                        : nx_sentence(error);
    nx_end_call("load", sentence, "node %d, pid %d", (int)node, (int)pid);
}

long _load(const char *file, long node, long pid)
{
    long value = nx_load_program(file, strlen(file), node, pid);
    return value < 0 ? nx_set_errno(-value) : 0;
}

void load(const char *file, long node, long pid)
{
    long value = nx_load_program(file, strlen(file), node, pid);
    if (value < 0)
        nx_fail_load(node, pid, -value);
}

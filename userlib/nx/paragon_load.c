/* SPDX-License-Identifier: MIT */
/* nx_load and nx_loadve, in a file of their own: only programs that call them are host programs. */
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
#include <nx_narrow_calls.h>
#include <string.h>

/* A program's name and its arguments, each behind a zero. */
struct words {
    char letters[1024];
    unsigned long length;
};

static int add(struct words *words, const char *word)
{
    unsigned long length = strlen(word);
    if (length >= sizeof words->letters - words->length)
        return 0;
    memcpy(words->letters + words->length, word, length + 1);
    words->length += length + 1;
    return 1;
}

/* Where the process ids go, of long or of int; null where they are not wanted. */
struct process_ids {
    long *pids;
    int *narrow;
};

/* Process ids are told from one another by node. */
static void note(const struct process_ids *ids, long i, long process)
{
    if (ids->pids)
        ids->pids[i] = process;
    if (ids->narrow)
        ids->narrow[i] = (int)process;
}

static long load_all(struct nx_node_list list, const struct process_ids *ids, long pid,
                     const struct words *words)
{
    if (list.count == -1 || list.count == 0xffffffff) /* an int that was passed without a prototype */
        list = (struct nx_node_list){.count = nx_process.nodes};
    if (!nx_is_length(list.count))
        return nx_set_errno(nx_error_bad_length);
    long loaded = nx_load_list(words->letters, words->length - 1, &list, pid);
    if (loaded < 0)
        return nx_set_errno(-loaded);
    for (long i = 0; i < list.count; i++)
        note(ids, i, nx_listed_node(&list, i) + 1);
    return loaded;
}

static long load_plain(struct nx_node_list list, struct process_ids ids, long pid, const char *file)
{
    struct words words = {.length = 0};
    return add(&words, file) ? load_all(list, &ids, pid, &words) : nx_set_errno(nx_error_not_found);
}

static long load_with(struct nx_node_list list, struct process_ids ids, long pid, const char *file,
                      char *argv[])
{
    struct words words = {.length = 0};
    int fit = add(&words, file);
    for (int i = 1; fit && argv && argv[0] && argv[i]; i++)
        fit = add(&words, argv[i]);
    return fit ? load_all(list, &ids, pid, &words) : nx_set_errno(nx_error_bad_argument);
}

long nx_load(long nodes[], long count, long pid, long pids[], const char *file)
{
    return load_plain((struct nx_node_list){nodes, 0, count}, (struct process_ids){pids, 0}, pid, file);
}

long nx_narrow_nx_load(const int nodes[], long count, long pid, int pids[], const char *file)
{
    return load_plain((struct nx_node_list){0, nodes, count}, (struct process_ids){0, pids}, pid, file);
}

/* Every program has the same environment. */
long nx_loadve(long nodes[], long count, long pid, long pids[], const char *file, char *argv[],
               char *envp[] __attribute__((unused)))
{
    return load_with((struct nx_node_list){nodes, 0, count}, (struct process_ids){pids, 0}, pid, file, argv);
}

long nx_narrow_nx_loadve(const int nodes[], long count, long pid, int pids[], const char *file, char *argv[],
                         char *envp[] __attribute__((unused)))
{
    return load_with((struct nx_node_list){0, nodes, count}, (struct process_ids){0, pids}, pid, file, argv);
}

/* SPDX-License-Identifier: MIT */
/* nx_load and nx_loadve, in a file of their own: only programs that call them are host programs. */
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/lengths.h"
#include "userlib/nx/this_process.h"

#include <nx.h>
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

/* The lists of a program, either of long or of int; null where there is none. */
struct lists {
    const long *nodes;
    const int *narrow_nodes;
    long *pids;
    int *narrow_pids;
};

/* Process ids are told from one another by node. */
static void note(const struct lists *lists, long i, long process)
{
    if (lists->pids)
        lists->pids[i] = process;
    if (lists->narrow_pids)
        lists->narrow_pids[i] = (int)process;
}

static long load_all(const struct lists *lists, long count, long pid, const struct words *words)
{
    const int all = count == -1 || count == 0xffffffff; /* an int that was passed without a prototype */
    long number = all ? nx_process.nodes : count;
    if (!nx_is_length(number))
        return nx_set_errno(nx_error_bad_length);
    for (long i = 0; i < number; i++) {
        long node = all ? i : lists->narrow_nodes ? lists->narrow_nodes[i] : lists->nodes[i];
        long value = nx_load_program(words->letters, words->length - 1, node, pid);
        if (value < 0)
            return nx_set_errno(-value);
        note(lists, i, node + 1);
    }
    return number;
}

static long load_plain(const struct lists *lists, long count, long pid, const char *file)
{
    struct words words = {.length = 0};
    return add(&words, file) ? load_all(lists, count, pid, &words) : nx_set_errno(nx_error_not_found);
}

static long load_with(const struct lists *lists, long count, long pid, const char *file, char *argv[])
{
    struct words words = {.length = 0};
    int fit = add(&words, file);
    for (int i = 1; fit && argv && argv[0] && argv[i]; i++)
        fit = add(&words, argv[i]);
    return fit ? load_all(lists, count, pid, &words) : nx_set_errno(nx_error_bad_argument);
}

long nx_load(long nodes[], long count, long pid, long pids[], const char *file)
{
    return load_plain(&(struct lists){.nodes = nodes, .pids = pids}, count, pid, file);
}

long nx_narrow_nx_load(const int nodes[], long count, long pid, int pids[], const char *file)
{
    return load_plain(&(struct lists){.narrow_nodes = nodes, .narrow_pids = pids}, count, pid, file);
}

/* Every program has the same environment. */
long nx_loadve(long nodes[], long count, long pid, long pids[], const char *file, char *argv[],
               char *envp[] __attribute__((unused)))
{
    return load_with(&(struct lists){.nodes = nodes, .pids = pids}, count, pid, file, argv);
}

long nx_narrow_nx_loadve(const int nodes[], long count, long pid, int pids[], const char *file, char *argv[],
                         char *envp[] __attribute__((unused)))
{
    return load_with(&(struct lists){.narrow_nodes = nodes, .narrow_pids = pids}, count, pid, file, argv);
}

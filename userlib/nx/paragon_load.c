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

/* Process ids are told from one another by node. */
static long load_one(const struct words *words, long node, long pid, long *process)
{
    long value = nx_load_program(words->letters, words->length - 1, node, pid);
    if (value >= 0 && process)
        *process = node + 1;
    return value;
}

static long load_all(long nodes[], long count, long pid, long pids[], const struct words *words)
{
    const int all = count == -1 || count == 0xffffffff; /* an int that was passed without a prototype */
    long number = all ? nx_process.nodes : count;
    if (!nx_is_length(number))
        return nx_set_errno(nx_error_bad_length);
    for (long i = 0; i < number; i++) {
        long node = all ? i : nodes[i];
        long value = load_one(words, node, pid, pids ? &pids[i] : 0);
        if (value < 0)
            return nx_set_errno(-value);
    }
    return number;
}

long nx_load(long nodes[], long count, long pid, long pids[], const char *file)
{
    struct words words = {.length = 0};
    return add(&words, file) ? load_all(nodes, count, pid, pids, &words) : nx_set_errno(nx_error_not_found);
}

long nx_loadve(long nodes[], long count, long pid, long pids[], const char *file, char *argv[], char *envp[])
{
    struct words words = {.length = 0};
    int fit = add(&words, file);
    (void)envp; /* every program has the same environment */
    for (int i = 1; fit && argv && argv[0] && argv[i]; i++)
        fit = add(&words, argv[i]);
    return fit ? load_all(nodes, count, pid, pids, &words) : nx_set_errno(nx_error_bad_argument);
}

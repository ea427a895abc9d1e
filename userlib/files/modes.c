/* SPDX-License-Identifier: MIT */
#include "userlib/files/modes.h"

#include "userlib/collective/tree.h"
#include "userlib/nx/operations.h"

#include <nx.h>
#include <unistd.h>

enum { most_files = 256 };

/* Of each open file. `pointer`, under M_LOG, is a word in the shared region that all nodes count up. */
static struct {
    int mode;
    long *pointer;
} files[most_files];

static int is_file(int file)
{
    if (file >= 0 && file < most_files && lseek(file, 0, SEEK_CUR) >= 0)
        return 1;
    if (file < 0 || file >= most_files)
        errno = EBADF;
    return 0;
}

/* Node 0 makes the shared word; it stays, for others may still read there when this node is done. */
static long share_pointer(int file)
{
    long *pointer = 0;
    if (nx_process.node == 0) {
        long block = NX_CALL(allocate, sizeof *pointer, 64);
        pointer = block > 0 ? (long *)block : 0;
        if (pointer)
            *pointer = lseek(file, 0, SEEK_CUR);
    }
    nx_send_down(parley_library_call_setiomode, &pointer, sizeof pointer);
    files[file].pointer = pointer;
    if (pointer)
        return 0;
    errno = EQMEM;
    return -1;
}

long nx_set_file_mode(int file, int mode)
{
    if (!is_file(file))
        return -1;
    if (mode < 0 || mode >= nx_mode_count) {
        errno = EQPARAM;
        return -1;
    }
    files[file].mode = mode;
    return mode == M_LOG ? share_pointer(file) : 0;
}

long nx_file_mode(int file)
{
    return is_file(file) ? files[file].mode : -1;
}

/* The bytes of all nodes before this one, and of all together. */
static void place_among_all(long bytes, long *before, long *together)
{
    long lengths[nx_process.nodes], count;
    gcol(&bytes, sizeof bytes, lengths, (long)sizeof lengths, &count);
    *before = *together = 0;
    for (int node = 0; node < nx_process.nodes; node++) {
        if (node < nx_process.node)
            *before += lengths[node];
        *together += lengths[node];
    }
}

long nx_take_turn(int file, long bytes, int writes, struct nx_turn *turn)
{
    long here = lseek(file, 0, SEEK_CUR), before = 0, together = bytes;
    if (file < 0 || file >= most_files || here < 0)
        return -1;
    switch (files[file].mode) {
    case M_LOG: here = __atomic_fetch_add(files[file].pointer, bytes, __ATOMIC_RELAXED); break;
    case M_SYNC: place_among_all(bytes, &before, &together); break;
    case M_RECORD: before = nx_process.node * bytes, together = nx_process.nodes * bytes; break;
    default: break;
    }
    int is_others = writes && files[file].mode == M_GLOBAL && nx_process.node != 0;
    *turn = (struct nx_turn){.at = here + before, .after = here + together, .moves_bytes = !is_others};
    return 0;
}

void nx_end_turn(int file, const struct nx_turn *turn, long bytes, long moved)
{
    int mode = files[file].mode;
    int is_own = mode == M_UNIX || mode == M_ASYNC || mode == M_GLOBAL;
    if (mode == M_LOG && moved < bytes)
        __atomic_fetch_sub(files[file].pointer, bytes - moved, __ATOMIC_RELAXED);
    lseek(file, is_own ? turn->at + moved : turn->after, SEEK_SET);
}

/* SPDX-License-Identifier: MIT */
#include "userlib/files/modes.h"

#include "userlib/collective/tree.h"
#include "userlib/files/closing.h"
#include "userlib/files/seeking.h"
#include "userlib/nx/operations.h"

#include <nx.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_files = 256 };

/* By descriptor: a file's mode, what tells the file from others, and for M_LOG a word in the shared region
 * that all nodes count up. */
static struct {
    int mode;
    dev_t device;
    ino_t number;
    long *pointer;
} files[most_files];

static void forget_mode(int file)
{
    if (file >= 0 && file < most_files)
        files[file].mode = M_UNIX;
}

/* close() has the mode forgotten. fclose() and dup2() do not: another file that gets their descriptor is told
 * by its number, but the same file, opened again, still has its mode. */
static int mode_of(int file)
{
    struct stat now;
    if (file >= most_files || files[file].mode == M_UNIX)
        return M_UNIX;
    if (fstat(file, &now) < 0 || now.st_dev != files[file].device || now.st_ino != files[file].number)
        forget_mode(file);
    return files[file].mode;
}

static off_t own_place(int file)
{
    return __lseek(file, 0, SEEK_CUR);
}

/* Others may move the pointer meanwhile. */
static off_t move_shared(long *pointer, off_t offset)
{
    long here = __atomic_load_n(pointer, __ATOMIC_RELAXED), there;
    do {
        if (__builtin_add_overflow(here, offset, &there) || there < 0) {
            errno = EINVAL;
            return -1;
        }
    } while (!__atomic_compare_exchange_n(pointer, &here, there, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return there;
}

off_t nx_seek(int file, off_t offset, int whence)
{
    if (own_place(file) < 0)
        return -1;
    if (mode_of(file) != M_LOG)
        return __lseek(file, offset, whence);
    if (whence == SEEK_CUR)
        return move_shared(files[file].pointer, offset);
    const off_t place = __lseek(file, offset, whence);
    if (place >= 0)
        __atomic_store_n(files[file].pointer, place, __ATOMIC_RELAXED);
    return place;
}

struct shared_word {
    long *pointer; /* null: there is none */
    long error;    /* and why */
};

/* Node 0 makes it; it stays, for others may still read there when this node is done. */
static struct shared_word make_shared_word(int file)
{
    const off_t place = own_place(file);
    if (place < 0)
        return (struct shared_word){0, errno};
    if (file >= most_files)
        return (struct shared_word){0, EMFILE};
    const long block = NX_CALL(allocate, sizeof(long), 64);
    if (block <= 0)
        return (struct shared_word){0, EQMEM};
    *(long *)block = place;
    return (struct shared_word){(long *)block, 0};
}

/* All nodes take part, whatever each answers then. */
static struct shared_word shared_word(int file)
{
    struct shared_word word = {0, 0};
    if (nx_process.node == 0)
        word = make_shared_word(file);
    nx_send_down(parley_library_call_setiomode, &word, sizeof word);
    return word;
}

/* Every node goes on where the pointer of all was. */
static void leave_log(int file)
{
    nx_meet(parley_library_call_setiomode);
    __lseek(file, __atomic_load_n(files[file].pointer, __ATOMIC_RELAXED), SEEK_SET);
}

long nx_set_file_mode(int file, int mode)
{
    struct stat now;
    if (own_place(file) >= 0 && mode_of(file) == M_LOG)
        leave_log(file);
    const struct shared_word word = mode == M_LOG ? shared_word(file) : (struct shared_word){0, 0};
    if (own_place(file) < 0 || fstat(file, &now) < 0)
        return -1;
    if (mode < 0 || mode >= nx_mode_count) {
        errno = EQPARAM;
        return -1;
    }
    if (file >= most_files && mode == M_UNIX)
        return 0;
    if (file >= most_files || word.error) {
        errno = file >= most_files ? EMFILE : (int)word.error;
        forget_mode(file);
        return -1;
    }
    nx_forget_mode = forget_mode;
    nx_seek_by_mode = nx_seek;
    files[file].mode = mode;
    files[file].device = now.st_dev;
    files[file].number = now.st_ino;
    files[file].pointer = word.pointer;
    return 0;
}

long nx_file_mode(int file)
{
    return own_place(file) < 0 ? -1 : mode_of(file);
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
    long here = own_place(file), before = 0, together = bytes;
    if (here < 0)
        return -1;
    const int mode = mode_of(file);
    switch (mode) {
    case M_LOG: here = __atomic_fetch_add(files[file].pointer, bytes, __ATOMIC_RELAXED); break;
    case M_SYNC: place_among_all(bytes, &before, &together); break;
    case M_RECORD: before = nx_process.node * bytes, together = nx_process.nodes * bytes; break;
    default: break;
    }
    int is_others = writes && mode == M_GLOBAL && nx_process.node != 0;
    *turn = (struct nx_turn){
        .mode = mode, .at = here + before, .after = here + together, .moves_bytes = !is_others};
    return 0;
}

void nx_end_turn(int file, const struct nx_turn *turn, long bytes, long moved)
{
    const int mode = turn->mode;
    const int is_own = mode == M_UNIX || mode == M_ASYNC || mode == M_GLOBAL;
    if (mode == M_LOG && moved < bytes)
        __atomic_fetch_sub(files[file].pointer, bytes - moved, __ATOMIC_RELAXED);
    if (mode != M_LOG)
        __lseek(file, is_own ? turn->at + moved : turn->after, SEEK_SET);
}

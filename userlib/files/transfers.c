/* SPDX-License-Identifier: MIT */
/* cread, cwrite, iread, iwrite, iodone, iowait. */
#include "userlib/files/failures.h"
#include "userlib/files/modes.h"
#include "userlib/nx/lengths.h"

#include <nx.h>
#include <unistd.h>

/* Pipes and terminals have no places in them. */
static long stream(int file, char *buffer, long bytes, int writes)
{
    for (long moved = 0; moved < bytes;) {
        ssize_t now = writes ? write(file, buffer + moved, (size_t)(bytes - moved))
                             : read(file, buffer + moved, (size_t)(bytes - moved));
        if (now <= 0)
            return now < 0 ? -1 : moved;
        moved += now;
    }
    return bytes;
}

/* How many bytes came before the file's end, or -1. */
static long move_at(int file, char *buffer, long bytes, long at, int writes)
{
    for (long moved = 0; moved < bytes;) {
        ssize_t now = writes ? pwrite(file, buffer + moved, (size_t)(bytes - moved), at + moved)
                             : pread(file, buffer + moved, (size_t)(bytes - moved), at + moved);
        if (now <= 0)
            return now < 0 ? -1 : moved;
        moved += now;
    }
    return bytes;
}

static long transfer(long file, void *buffer, long bytes, int writes)
{
    struct nx_turn turn;
    if (!nx_is_length(bytes)) {
        errno = EQLEN;
        return -1;
    }
    if (nx_take_turn((int)file, bytes, writes, &turn) < 0)
        return errno == ESPIPE ? stream((int)file, buffer, bytes, writes) : -1;
    long moved = turn.moves_bytes ? move_at((int)file, buffer, bytes, turn.at, writes) : bytes;
    nx_end_turn((int)file, &turn, bytes, moved < 0 ? 0 : moved);
    return moved;
}

long _cread(long file, void *buffer, long bytes)
{
    return transfer(file, buffer, bytes, 0);
}

long _cwrite(long file, const void *buffer, long bytes)
{
    return transfer(file, (void *)buffer, bytes, 1);
}

void cread(long file, void *buffer, long bytes)
{
    nx_must_transfer("cread", file, bytes, _cread(file, buffer, bytes));
}

void cwrite(long file, const void *buffer, long bytes)
{
    nx_must_transfer("cwrite", file, bytes, _cwrite(file, buffer, bytes));
}

/* Transfers are over when they have an id. */
static int last_id;

static long new_id(long moved)
{
    if (moved < 0)
        return -1;
    last_id = last_id == 0x7fffffff ? 1 : last_id + 1;
    return last_id;
}

long _iread(long file, void *buffer, long bytes)
{
    return new_id(_cread(file, buffer, bytes));
}

long _iwrite(long file, const void *buffer, long bytes)
{
    return new_id(_cwrite(file, buffer, bytes));
}

long iread(long file, void *buffer, long bytes)
{
    return nx_must_transfer("iread", file, bytes, _iread(file, buffer, bytes));
}

long iwrite(long file, const void *buffer, long bytes)
{
    return nx_must_transfer("iwrite", file, bytes, _iwrite(file, buffer, bytes));
}

long _iodone(long id)
{
    if ((int)id > 0 && (int)id <= last_id)
        return 1;
    errno = EQMID;
    return -1;
}

long _iowait(long id)
{
    return _iodone(id) < 0 ? -1 : 0;
}

long iodone(long id)
{
    return nx_must_know_id("iodone", id, _iodone(id));
}

void iowait(long id)
{
    nx_must_know_id("iowait", id, _iowait(id));
}

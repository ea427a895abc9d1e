/* SPDX-License-Identifier: MIT */
/* The Fortran names of the file calls. A unit is what GOPEN has opened under that number, until an OPEN or a
 * CLOSE of it, or else a unit of Fortran's own, whose bytes are then read and written past its records. */
#include <fcntl.h>
#include <limits.h>
#include <nx.h>
#include <stdio.h>
#include <unistd.h>

#include "userlib/fortran/files.h"
#include "userlib/fortran/units.h"
#include "userlib/nx/failure.h"

enum { most_units = 256, most_letters = PATH_MAX };

static int opened[most_units]; /* the file, plus 1 */

static int is_opened(int unit)
{
    return unit >= 0 && unit < most_units && opened[unit] != 0;
}

/* The unit's file, with what Fortran has still to write in its place. */
static int file_of(const int *unit)
{
    if (is_opened(*unit))
        return opened[*unit] - 1;
    _gfortran_flush_i4(unit);
    return _gfortran_fnum_i4(unit);
}

static void forget(int unit)
{
    if (!is_opened(unit))
        return;
    close(opened[unit] - 1);
    opened[unit] = 0;
}

/* A name without the blanks that it is padded with. */
static const char *name_of(const char *call, char name[most_letters], const char *path, size_t length)
{
    while (length > 0 && path[length - 1] == ' ')
        length--;
    if (length >= most_letters)
        nx_end_call(call, "the name of a file has at most 4095 characters", "%zu characters", length);
    snprintf(name, most_letters, "%.*s", (int)length, path);
    return name;
}

void gopen_(const int *unit, const char *path, const int *mode, size_t length)
{
    char name[most_letters];
    if (*unit < 0 || *unit >= most_units)
        nx_end_call("gopen", "units that it opens lie between 0 and 255", "unit %d", *unit);
    forget(*unit);
    nx_forget_unit = forget;
    opened[*unit] = (int)gopen(name_of("gopen", name, path, length), O_RDWR | O_CREAT, *mode, 0644) + 1;
}

void setiomode_(const int *unit, const int *mode)
{
    setiomode(file_of(unit), *mode);
}

int iomode_(const int *unit)
{
    return (int)iomode(file_of(unit));
}

void cread_(const int *unit, void *buffer, const int *bytes)
{
    cread(file_of(unit), buffer, *bytes);
}

void cwrite_(const int *unit, const void *buffer, const int *bytes)
{
    cwrite(file_of(unit), buffer, *bytes);
}

int iread_(const int *unit, void *buffer, const int *bytes)
{
    return (int)iread(file_of(unit), buffer, *bytes);
}

int iwrite_(const int *unit, const void *buffer, const int *bytes)
{
    return (int)iwrite(file_of(unit), buffer, *bytes);
}

int iodone_(const int *id)
{
    return (int)iodone(*id);
}

void iowait_(const int *id)
{
    iowait(*id);
}

int iseof_(const int *unit)
{
    return (int)iseof(file_of(unit));
}

int lseek_(const int *unit, const int *offset, const int *whence)
{
    esize_t to = {*offset, *offset < 0 ? -1 : 0};
    return (int)eseek(file_of(unit), to, *whence).slow;
}

int lsize_(const int *unit, const int *offset, const int *whence)
{
    return (int)lsize(file_of(unit), *offset, *whence);
}

static void narrow(int to[2], esize_t from)
{
    to[0] = (int)from.slow;
    to[1] = (int)from.shigh;
}

void eseek_(const int *unit, const int offset[2], const int *whence, int place[2])
{
    narrow(place, eseek(file_of(unit), (esize_t){offset[0], offset[1]}, *whence));
}

void esize_(const int *unit, const int offset[2], const int *whence, int bytes[2])
{
    narrow(bytes, esize(file_of(unit), (esize_t){offset[0], offset[1]}, *whence));
}

/* The members of struct estat in their order, of which the size has two words. */
static void describe(int words[9], const struct estat *status)
{
    words[0] = (int)status->st_dev;
    words[1] = (int)status->st_ino;
    words[2] = (int)status->st_mode;
    words[3] = (int)status->st_nlink;
    words[4] = (int)status->st_uid;
    words[5] = (int)status->st_gid;
    words[6] = (int)status->st_rdev;
    narrow(words + 7, status->st_size);
}

void estat_(const char *path, int words[9], size_t length)
{
    char name[most_letters];
    struct estat status;
    estat(name_of("estat", name, path, length), &status);
    describe(words, &status);
}

void festat_(const int *unit, int words[9])
{
    struct estat status;
    festat(file_of(unit), &status);
    describe(words, &status);
}

void restrictvol_(const int *unit, const int *count, const int volumes[])
{
    (void)unit, (void)count, (void)volumes;
}

/* SPDX-License-Identifier: MIT */
/* gopen, setiomode, iomode, iseof, lsize, esize, eseek, estat, festat, restrictvol. */
#include "userlib/files/failures.h"
#include "userlib/files/modes.h"

#include <fcntl.h>
#include <nx.h>
#include <sys/stat.h>
#include <unistd.h>

static const esize_t nowhere = {-1, -1};

static esize_t halves(long value)
{
    return value < 0 ? nowhere : (esize_t){(int)value, (int)(value >> 32)};
}

static long whole(esize_t halves)
{
    return (long)((unsigned long)halves.shigh << 32 | (unsigned)halves.slow);
}

long _gopen(const char *path, long flags, long mode, long permissions)
{
    int file = open(path, (int)flags, (mode_t)permissions);
    if (file < 0 || nx_set_file_mode(file, (int)mode) == 0)
        return file;
    const int refusal = errno;
    close(file);
    errno = refusal;
    return -1;
}

long gopen(const char *path, long flags, long mode, long permissions)
{
    long file = _gopen(path, flags, mode, permissions);
    nx_must_find("gopen", path, file);
    return file;
}

long _setiomode(long file, long mode)
{
    return nx_set_file_mode((int)file, (int)mode);
}

void setiomode(long file, long mode)
{
    nx_must_work("setiomode", file, _setiomode(file, mode));
}

long _iomode(long file)
{
    return nx_file_mode((int)file);
}

long iomode(long file)
{
    return nx_must_work("iomode", file, _iomode(file));
}

long _iseof(long file)
{
    struct stat status;
    long here = nx_seek((int)file, 0, SEEK_CUR);
    if (here < 0 || fstat((int)file, &status) < 0)
        return -1;
    return here >= status.st_size;
}

long iseof(long file)
{
    return nx_must_work("iseof", file, _iseof(file));
}

/* The file's bytes afterwards. A file never gets shorter. */
static long enlarge(int file, long offset, int whence)
{
    struct stat status;
    if (fstat(file, &status) < 0)
        return -1;
    long start = whence == SIZE_CUR ? nx_seek(file, 0, SEEK_CUR) : whence == SIZE_END ? status.st_size : 0;
    if (start < 0 || whence < SIZE_SET || whence > SIZE_END) {
        errno = EINVAL;
        return -1;
    }
    long bytes;
    if (__builtin_add_overflow(start, offset, &bytes)) {
        errno = EFBIG;
        return -1;
    }
    if (bytes <= status.st_size)
        return status.st_size;
    return ftruncate(file, bytes) < 0 ? -1 : bytes;
}

/* The call of files below 2 GiB; esize is that of others. */
long _lsize(long file, long offset, long whence)
{
    if (offset != (int)offset) {
        errno = EQLEN;
        return -1;
    }
    return enlarge((int)file, offset, (int)whence);
}

long lsize(long file, long offset, long whence)
{
    return nx_must_work("lsize", file, _lsize(file, offset, whence));
}

esize_t _esize(long file, esize_t offset, long whence)
{
    return halves(enlarge((int)file, whole(offset), (int)whence));
}

esize_t esize(long file, esize_t offset, long whence)
{
    return halves(nx_must_work("esize", file, enlarge((int)file, whole(offset), (int)whence)));
}

esize_t _eseek(long file, esize_t offset, long whence)
{
    return halves(nx_seek((int)file, whole(offset), (int)whence));
}

esize_t eseek(long file, esize_t offset, long whence)
{
    return halves(nx_must_work("eseek", file, nx_seek((int)file, whole(offset), (int)whence)));
}

static long describe(const struct stat *found, struct estat *status)
{
    *status = (struct estat){.st_dev = found->st_dev,
                             .st_ino = found->st_ino,
                             .st_mode = found->st_mode,
                             .st_nlink = found->st_nlink,
                             .st_uid = found->st_uid,
                             .st_gid = found->st_gid,
                             .st_rdev = found->st_rdev,
                             .st_size = halves(found->st_size)};
    return 0;
}

long _estat(const char *path, struct estat *status)
{
    struct stat found;
    return stat(path, &found) < 0 ? -1 : describe(&found, status);
}

void estat(const char *path, struct estat *status)
{
    nx_must_find("estat", path, _estat(path, status));
}

long _festat(long file, struct estat *status)
{
    struct stat found;
    return fstat((int)file, &found) < 0 ? -1 : describe(&found, status);
}

void festat(long file, struct estat *status)
{
    nx_must_work("festat", file, _festat(file, status));
}

long _restrictvol(long file, long count, int volumes[])
{
    (void)file, (void)count, (void)volumes;
    return 0;
}

void restrictvol(long file, long count, int volumes[])
{
    (void)file, (void)count, (void)volumes;
}

/* SPDX-License-Identifier: MIT */
/* The C library's lseek for programs: of a file whose mode is M_LOG it moves the pointer of all nodes. As
 * close (closing.c) it has a source of its own, which takes nothing else along. */
#define _LARGEFILE64_SOURCE /* lseek64 */
#include "userlib/files/seeking.h"

#include <unistd.h>

off_t (*nx_seek_by_mode)(int file, off_t offset, int whence);

off_t lseek(int file, off_t offset, int whence)
{
    return nx_seek_by_mode ? nx_seek_by_mode(file, offset, whence) : __lseek(file, offset, whence);
}

/* Its name in programs that ask for large files. */
off_t lseek64(int file, off_t offset, int whence)
{
    return lseek(file, offset, whence);
}

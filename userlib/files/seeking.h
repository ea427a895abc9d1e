/* SPDX-License-Identifier: MIT */
/* What lseek() (seeking.c) asks, once a file has had a mode; null until then. */
#ifndef PARLEY_NX_FILE_SEEKING_H
#define PARLEY_NX_FILE_SEEKING_H

#include <sys/types.h>

/* The C library's lseek, by its other name: moves this process's own pointer. */
off_t __lseek(int file, off_t offset, int whence);

extern off_t (*nx_seek_by_mode)(int file, off_t offset, int whence);

#endif

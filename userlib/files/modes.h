/* SPDX-License-Identifier: MIT */
/* Whose turn it is in a file that several nodes share (nx_files.h: the modes). */
#ifndef PARLEY_NX_FILE_MODES_H
#define PARLEY_NX_FILE_MODES_H

#include <sys/types.h>

enum { nx_mode_count = 6 };

/* Where a transfer goes, and where the file pointer is afterwards. */
struct nx_turn {
    int mode;
    long at;
    long after;
    int moves_bytes; /* 0: another node's transfer is this one's too */
};

/* Sets the file's mode. 0, or -1 and errno. */
long nx_set_file_mode(int file, int mode);
long nx_file_mode(int file);
/* As lseek, of the pointer that the file's mode has. */
off_t nx_seek(int file, off_t offset, int whence);
/* Finds where a transfer of so many bytes goes. 0, or -1 and errno. */
long nx_take_turn(int file, long bytes, int writes, struct nx_turn *turn);
/* Only so many bytes were there: the others of M_LOG may have what was taken too much. */
void nx_end_turn(int file, const struct nx_turn *turn, long bytes, long moved);

#endif

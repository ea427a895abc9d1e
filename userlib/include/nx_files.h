/* SPDX-License-Identifier: MIT */
/* The file calls of the concurrent file system, over the C library's files. A plain call that fails prints
 * one sentence and ends the program; its underscore twin returns -1 and sets errno. Transfers are complete
 * when the call returns: iread and iwrite give an id that iowait and iodone take, nothing more.
 *
 * A node's files have one of these modes; all nodes that share a file say the same one, with the same place
 * in it:
 *   M_UNIX    each node has a file pointer of its own (as files are opened)
 *   M_LOG     all nodes have one file pointer, first come, first served; lseek, eseek and iseof are of it
 *   M_SYNC    one file pointer, in the order of nodes; every node makes every transfer
 *   M_RECORD  as M_SYNC, every node's transfer having as many bytes as all others'
 *   M_GLOBAL  all nodes make the same transfer: each reads the same bytes, what is written is node 0's
 *   M_ASYNC   as M_UNIX
 * A file whose descriptor is 256 or above has M_UNIX; another mode is refused with EMFILE. */
#ifndef PARLEY_NX_FILES_H
#define PARLEY_NX_FILES_H

#define M_UNIX 0
#define M_LOG 1
#define M_SYNC 2
#define M_RECORD 3
#define M_GLOBAL 4
#define M_ASYNC 5

/* lsize and esize: a file becomes at least this long, counted from its start, from the file pointer, or from
 * its end. */
#define SIZE_SET 0
#define SIZE_CUR 1
#define SIZE_END 2

/* A number of 64 bits in two halves of 32, which programs also take for an array of two ints. */
typedef struct {
    int slow;
    int shigh;
} esize_t;

/* Fortran's ESTAT and FESTAT give an array of nine INTEGERs: these in this order, of the size both halves. */
struct estat {
    unsigned long st_dev;
    unsigned long st_ino;
    unsigned long st_mode;
    unsigned long st_nlink;
    long st_uid;
    long st_gid;
    unsigned long st_rdev;
    esize_t st_size;
};

#ifdef __cplusplus
extern "C" {
#endif

long gopen(const char *path, long flags, long mode, long permissions);
void setiomode(long file, long mode);
long iomode(long file);
void cread(long file, void *buffer, long bytes);
void cwrite(long file, const void *buffer, long bytes);
long iread(long file, void *buffer, long bytes);
long iwrite(long file, const void *buffer, long bytes);
long iodone(long id);
void iowait(long id);
long iseof(long file);
long lsize(long file, long offset, long whence);
esize_t esize(long file, esize_t offset, long whence);
esize_t eseek(long file, esize_t offset, long whence);
void estat(const char *path, struct estat *status);
void festat(long file, struct estat *status);
void restrictvol(long file, long count, int volumes[]); /* a hint to disks that are not here */

/* _cread and _cwrite return how many bytes were there, or written. */
long _gopen(const char *path, long flags, long mode, long permissions);
long _setiomode(long file, long mode);
long _iomode(long file);
long _cread(long file, void *buffer, long bytes);
long _cwrite(long file, const void *buffer, long bytes);
long _iread(long file, void *buffer, long bytes);
long _iwrite(long file, const void *buffer, long bytes);
long _iodone(long id);
long _iowait(long id);
long _iseof(long file);
long _lsize(long file, long offset, long whence);
esize_t _esize(long file, esize_t offset, long whence); /* both halves are -1 after an error */
esize_t _eseek(long file, esize_t offset, long whence);
long _estat(const char *path, struct estat *status);
long _festat(long file, struct estat *status);
long _restrictvol(long file, long count, int volumes[]);

#ifdef __cplusplus
}
#endif

#endif

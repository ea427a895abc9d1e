/* SPDX-License-Identifier: MIT */
/* What gfortran calls for the file calls, and what these need of its library. */
#ifndef PARLEY_FORTRAN_FILES_H
#define PARLEY_FORTRAN_FILES_H

#include <stddef.h>

void _gfortran_flush_i4(const int *unit);
int _gfortran_fnum_i4(const int *unit);

void gopen_(const int *unit, const char *path, const int *mode, size_t length);
void setiomode_(const int *unit, const int *mode);
int iomode_(const int *unit);
void cread_(const int *unit, void *buffer, const int *bytes);
void cwrite_(const int *unit, const void *buffer, const int *bytes);
int iread_(const int *unit, void *buffer, const int *bytes);
int iwrite_(const int *unit, const void *buffer, const int *bytes);
int iodone_(const int *id);
void iowait_(const int *id);
int iseof_(const int *unit);
int lseek_(const int *unit, const int *offset, const int *whence);
int lsize_(const int *unit, const int *offset, const int *whence);
void eseek_(const int *unit, const int offset[2], const int *whence, int place[2]);
void esize_(const int *unit, const int offset[2], const int *whence, int bytes[2]);
void estat_(const char *path, int words[9], size_t length);
void festat_(const int *unit, int words[9]);
void restrictvol_(const int *unit, const int *count, const int volumes[]);

#endif

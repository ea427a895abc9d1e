/* SPDX-License-Identifier: MIT */
/* How the plain file calls end a program; `value` is what the twin has returned, and errno says why. */
#ifndef PARLEY_NX_FILE_FAILURES_H
#define PARLEY_NX_FILE_FAILURES_H

long nx_must_transfer(const char *call, long file, long bytes, long value);
long nx_must_work(const char *call, long file, long value);
long nx_must_know_id(const char *call, long id, long value);
void nx_must_find(const char *call, const char *path, long value);

#endif

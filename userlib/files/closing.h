/* SPDX-License-Identifier: MIT */
/* What close() (closing.c) calls first, once a file has had a mode; null until then. */
#ifndef PARLEY_NX_FILE_CLOSING_H
#define PARLEY_NX_FILE_CLOSING_H

extern void (*nx_forget_mode)(int file);

#endif

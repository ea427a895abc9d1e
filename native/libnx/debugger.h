/* SPDX-License-Identifier: MIT */
/* The message library is mapped by no dynamic linker, so a debugger would not know it. */
#ifndef PARLEY_NATIVE_DEBUGGER_H
#define PARLEY_NATIVE_DEBUGGER_H

/* Tells debuggers, now or when they come, also to a core file, that the program in this file has been mapped
 * where it was linked to. At most once a process; without memory for it, nothing happens. */
__attribute__((visibility("hidden"))) void nx_tell_debuggers(int file);

#endif

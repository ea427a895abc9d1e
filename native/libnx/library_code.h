/* SPDX-License-Identifier: MIT */
/* Which instructions are the message library's: a signal that meets one of them must not leave it. */
#ifndef PARLEY_NATIVE_LIBRARY_CODE_H
#define PARLEY_NATIVE_LIBRARY_CODE_H

/* Whether that address is one of the message library's instructions. False before the process has joined a
 * job. Signal handlers may call it. */
__attribute__((visibility("hidden"))) int nx_is_library_code(const void* address);

#endif

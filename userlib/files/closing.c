/* SPDX-License-Identifier: MIT */
/* The C library's close for programs: a file's mode ends with it. A later file under the same descriptor, of
 * the same name perhaps, has none. This has a source of its own, for it comes into every program that closes
 * a file, and takes nothing else along. */
#include "userlib/files/closing.h"

#include <unistd.h>

void (*nx_forget_mode)(int file);

int __close(int file); /* close, by the C library's other name for it */

int close(int file)
{
    if (nx_forget_mode)
        nx_forget_mode(file);
    return __close(file);
}

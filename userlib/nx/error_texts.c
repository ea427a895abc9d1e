/* SPDX-License-Identifier: MIT */
/* The table of error texts that old C declares for itself and that C libraries no longer have. */
#define _GNU_SOURCE
#include <string.h>

enum { error_texts = 134 };

const char *sys_errlist[error_texts];
int sys_nerr = error_texts;

__attribute__((constructor)) static void fill(void)
{
    for (int number = 0; number < error_texts; number++) {
        const char *text = strerrordesc_np(number);
        sys_errlist[number] = text ? text : "Unknown error";
    }
}
